/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waker.h - what a module calls when something has come that a decision waits for.  Lookups may
 * end after their decision, so references are counted.
 */
#ifndef LIMEN_CORE_DECISION_WAKER_H
#define LIMEN_CORE_DECISION_WAKER_H

#include <limen/request.h>
#include <pthread.h>
#include <stdatomic.h>

struct limen_waker {
	atomic_uint references;
	/* Goes on with the decision; NULL: a thread waits in waker_wait(). */
	void (*resume)(limen_waker *waker);
	pthread_mutex_t lock;
	pthread_cond_t called;
	bool woken; /* since the last waker_wait() */
};

/* Makes a waker, the first member of 'size' bytes, all 0.  NULL when memory is short. */
limen_waker *waker_new(size_t size);

limen_waker *waker_ref(limen_waker *waker);
void waker_unref(limen_waker *waker); /* NULL is fine */

/* Waits until it is called, or limen_host_monotonic() reaches 'deadline'. */
void waker_wait(limen_waker *waker, int64_t deadline);

#endif
