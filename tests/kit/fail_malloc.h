/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_malloc.h - makes memory short on purpose.
 *
 * Counts what the objects of a program allocate and lets one allocation, or
 * all from one on, fail.  Libraries keep their own: only what is linked with
 * FAIL_MALLOC_LDFLAGS is counted.  Allocations of all threads count.
 */
#ifndef LIMEN_TESTS_KIT_FAIL_MALLOC_H
#define LIMEN_TESTS_KIT_FAIL_MALLOC_H

#include <stdbool.h>

/* From now on the 'nth' allocation fails, the first being 1, and no other. */
void fail_malloc_once(unsigned long nth);

/* From now on the 'nth' allocation fails, and all after it. */
void fail_malloc_from(unsigned long nth);

/* From now on none fails.  Did one since the last call of the above? */
bool fail_malloc_stop(void);

#endif
