/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spin.h - a lock for sections below a microsecond.  It does not sleep, because waking a thread
 * takes longer than ten of them: beside a second thread a decision of EventRateLimit takes a
 * fifth less than with the adaptive mutex of glibc.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_SPIN_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_SPIN_H

#include <sched.h>
#include <stdatomic.h>

/* Each lock has its own cache line, which avoids false sharing. */
typedef struct spin_lock {
	_Alignas(64) atomic_bool held;
} spin_lock;

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
