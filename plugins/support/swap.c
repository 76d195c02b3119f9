/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap.c - counts readers in two counters that take turns, the way sleepable
 * RCU does, so that readers who follow each other without a gap cannot keep the
 * writer waiting.
 */
#include <time.h>

#include "swap.h"

void *
swap_enter(swap *shared, unsigned *turn)
{
	*turn = atomic_load(&shared->turn);
	atomic_fetch_add(&shared->readers[*turn], 1);
	return atomic_load(&shared->current);
}

void
swap_leave(swap *shared, unsigned turn)
{
	atomic_fetch_sub(&shared->readers[turn], 1);
}
/*
 * Readers that count in after the exchange get the new pointer.  Earlier readers may be
 * in either counter, because the turn can change between the two steps of swap_enter():
 * both counters are awaited.
 */
void *
swap_replace(swap *shared, void *memory)
{
	static const struct timespec pause = { .tv_nsec = 100000 };
	void *old = atomic_exchange(&shared->current, memory);

	for (int i = 0; i < 2; i++) {
		unsigned turn = atomic_load(&shared->turn);

		atomic_store(&shared->turn, 1 - turn);
		while (atomic_load(&shared->readers[turn]) > 0)
			nanosleep(&pause, NULL);
	}
	return old;
}
