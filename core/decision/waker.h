/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waker.h - a decision that waits, and what modules call when something has come for one of its
 * entries.  Lookups may end after their decision, so references are counted.
 */
#ifndef LIMEN_CORE_DECISION_WAKER_H
#define LIMEN_CORE_DECISION_WAKER_H

#include <limen/request.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct sleeper sleeper;

/* The waker of one entry: only the entry that something has come for is asked again. */
struct limen_waker {
	sleeper *owner;
	atomic_bool called; /* since sleeper_takes() */
};

/* A decision that waits. */
struct sleeper {
	atomic_uint references; /* also one for each waker that a module has */
	/* Goes on with the decision; NULL: a thread waits in sleeper_wait(). */
	void (*resume)(sleeper *self);
	pthread_mutex_t lock;
	pthread_cond_t called;
	bool woken; /* since the last sleeper_wait() */
	limen_waker *wakers;
};

/*
 * Makes a sleeper, the first member of 'size' bytes, all 0, with the wakers of 'entries' entries.
 * NULL when memory is short.
 */
sleeper *sleeper_new(size_t size, size_t entries);

sleeper *sleeper_ref(sleeper *self);
void sleeper_unref(sleeper *self); /* NULL is fine */

/* Wakes the decision and ends a reference. */
void sleeper_wake(sleeper *self);

/* Waits until it is woken, or limen_host_monotonic() reaches 'deadline'. */
void sleeper_wait(sleeper *self, int64_t deadline);

/* Was the waker of entry 'index' called since the last time?  'self' may be NULL. */
bool sleeper_takes(sleeper *self, size_t index);

#endif
