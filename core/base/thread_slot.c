/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_slot.c - gives each thread the lowest free of 64 numbers and takes it back when the
 * thread ends.  It owns the bit set of numbers in use and the thread key.
 */
#include "thread_slot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

_Static_assert(THREAD_SLOTS == 64, "one bit of a word each");

static _Atomic uint64_t taken;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t ending;
static bool has_key; /* written once, before anything is taken */

/* One more than the number; 0: none so far. */
static _Thread_local unsigned mine THREAD_LOCAL_NEAR;

static void
release(void *data)
{
	unsigned slot = (unsigned)(uintptr_t)data - 1;

	/* A later destructor of this thread may take a slot again. */
	mine = 0;
	atomic_fetch_and_explicit(&taken, ~(UINT64_C(1) << slot), memory_order_release);
}

static void
make_key(void)
{
	has_key = pthread_key_create(&ending, release) == 0;
}

/* A library that is unloaded leaves no function behind for threads to call. */
__attribute__((destructor)) static void
forget(void)
{
	if (has_key)
		pthread_key_delete(ending);
	has_key = false;
}

/* The lowest that is free, or THREAD_SLOTS. */
static unsigned
take_free(void)
{
	uint64_t before = atomic_load_explicit(&taken, memory_order_relaxed);

	while (before != UINT64_MAX) {
		unsigned slot = (unsigned)__builtin_ctzll(~before);

		if (atomic_compare_exchange_weak_explicit(&taken, &before,
		                                          before | UINT64_C(1) << slot,
		                                          memory_order_acquire,
		                                          memory_order_relaxed))
			return slot;
	}
	return THREAD_SLOTS;
}

static unsigned
find_slot(void)
{
	unsigned slot;

	pthread_once(&once, make_key);
	slot = has_key ? take_free() : THREAD_SLOTS;
	if (slot == THREAD_SLOTS)
		return slot;
	mine = slot + 1;
	if (pthread_setspecific(ending, (void *)(uintptr_t)mine) == 0)
		return slot;
	/* Without the destructor the slot would never be released. */
	release((void *)(uintptr_t)mine);
	return THREAD_SLOTS;
}

unsigned
thread_slot(void)
{
	return mine != 0 ? mine - 1 : find_slot();
}
