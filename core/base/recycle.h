/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recycle.h - memory that every decision needs and gives back: each thread keeps a few
 * blocks of each size, so that a decision like those before it asks malloc() for
 * nothing.  What is freed on another thread is kept there.
 *
 * With the sanitizers, which find more then, nothing is kept, and so it is if the environment has
 * LIMEN_ALWAYS_MALLOC when something is freed for the first time.
 */
#ifndef LIMEN_CORE_BASE_RECYCLE_H
#define LIMEN_CORE_BASE_RECYCLE_H

#include <stddef.h>

/* As malloc(), calloc(), realloc() and free(), but must not be mixed with those. */
void *recycle_alloc(size_t size);
void *recycle_zeroed(size_t size);
void *recycle_resize(void *block, size_t size);
void recycle_free(void *block); /* NULL is fine */

/* Stops keeping freed blocks: for tests that let allocations fail. */
void recycle_stop(void);

#endif
