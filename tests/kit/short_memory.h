/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_memory.h - makes memory short in the whole process: modules, libc and
 * libraries included, but for those that end the process then.
 *
 * A program that is linked with it has the allocating functions of short_memory.c
 * instead of libc's.  fail_malloc.h lets only the program's own objects fail, but
 * works with sanitizers, which have allocators of their own.
 */
#ifndef LIMEN_TESTS_KIT_SHORT_MEMORY_H
#define LIMEN_TESTS_KIT_SHORT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Why there is nothing to be tested, or NULL. */
const char *short_memory_unavailable(void);

/*
 * Allocations of libraries whose file name begins with one of 'names' always succeed;
 * a NULL ends them.  To be called once, when these libraries have been loaded.
 */
void short_memory_spare(const char *const *names);

/* From now on the 'nth' allocation of this thread fails, and if 'all' those after it. */
void short_memory_start(unsigned long nth, bool all);

/* From now on that allocation of all other threads fails, whichever makes it. */
void short_memory_start_elsewhere(unsigned long nth, bool all);

/* From now on none fails.  Did one? */
bool short_memory_stop(void);

/* How many allocations this thread made from its last start on that could have failed. */
unsigned long short_memory_made(void);

/*
 * How many blocks all threads hold, less a constant: the same number before and after is
 * no leak.
 */
long short_memory_live(void);

#endif
