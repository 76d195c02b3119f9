/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - returns memory that the allocator keeps for later to the system, and finds memory for
 * texts whose size clients choose.
 *
 * After the largest requests, the allocator keeps hundreds of megabytes, because each thread may
 * have handled one.
 */
#ifndef LIMEND_MEMORY_H
#define LIMEND_MEMORY_H

#include <glib.h>
#include <stdbool.h>

/* Makes the allocator return the largest blocks to the system as soon as they are freed. */
void memory_setup(void);

/* Returns all free memory to the system.  It is slow, so call it while no request runs. */
void memory_give_back(void);

/*
 * Makes room for 'more' bytes in 'text', so that appending them cannot fail.  GLib itself ends the
 * process if it gets no memory.  Returns false and leaves 'text' as it is if memory is short.
 */
bool memory_reserve(GString *text, size_t more);

/*
 * Could 'size' bytes be had now, and a spare that is kept for the small allocations of GLib?  It
 * takes a few microseconds.
 */
bool memory_has(size_t size);

#endif
