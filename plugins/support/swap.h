/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap.h - a pointer that one thread replaces while any number of others read
 * what it points to.
 *
 * Readers never wait for anything: a decision goes on with the old or with the
 * new thing.  The writer waits until nobody reads the old one any more.  Both
 * sides use sequentially consistent atomics only.
 */
#ifndef LIMEN_PLUGINS_SWAP_H
#define LIMEN_PLUGINS_SWAP_H

#include <stdatomic.h>

typedef struct swap {
	_Atomic(void *) current;
	atomic_uint turn;        /* which of 'readers' counts those that come now */
	atomic_ulong readers[2];
} swap;

/* What is in force, good until swap_leave() with the same 'turn'.  May be NULL. */
void *swap_enter(swap *shared, unsigned *turn);
void swap_leave(swap *shared, unsigned turn);

/*
 * Puts 'made' in force and returns what was before, once no reader has it any
 * more.  One writer at a time.
 */
void *swap_replace(swap *shared, void *made);

#endif
