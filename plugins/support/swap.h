/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap.h - a pointer that one thread replaces while any number of others read
 * what it points to.
 *
 * Readers never wait: a decision uses the old or the new pointer.  The writer waits
 * until no reader uses the old one.  Both sides use sequentially consistent atomics only.
 */
#ifndef LIMEN_PLUGINS_SWAP_H
#define LIMEN_PLUGINS_SWAP_H

#include <stdatomic.h>

typedef struct swap {
	_Atomic(void *) current;
	atomic_uint turn;        /* the index in 'readers' that counts new readers */
	atomic_ulong readers[2];
} swap;

/* Returns the current pointer, valid until swap_leave() with the same 'turn'; may be NULL. */
void *swap_enter(swap *shared, unsigned *turn);
void swap_leave(swap *shared, unsigned turn);

/*
 * Replaces the pointer by 'memory' and returns the old one once no reader uses it.  One
 * writer at a time.
 */
void *swap_replace(swap *shared, void *memory);

#endif
