/* SPDX-License-Identifier: Apache-2.0 */
/* waker.c - wakes decisions that wait: a thread, or one that is resumed without a thread. */
#include "waker.h"

#include <stdlib.h>

#include "base/thread.h"
#include "request.h"

limen_waker *
waker_new(size_t size)
{
	limen_waker *made = calloc(1, size);

	if (made == NULL)
		return NULL;
	atomic_init(&made->references, 1);
	pthread_mutex_init(&made->lock, NULL);
	thread_condition(&made->called);
	return made;
}

limen_waker *
waker_ref(limen_waker *waker)
{
	atomic_fetch_add_explicit(&waker->references, 1, memory_order_relaxed);
	return waker;
}

void
waker_unref(limen_waker *waker)
{
	if (waker == NULL ||
	    atomic_fetch_sub_explicit(&waker->references, 1, memory_order_acq_rel) > 1)
		return;
	pthread_cond_destroy(&waker->called);
	pthread_mutex_destroy(&waker->lock);
	free(waker);
}

void
waker_wait(limen_waker *waker, int64_t deadline)
{
	pthread_mutex_lock(&waker->lock);
	while (!waker->woken && thread_wait(&waker->called, &waker->lock, deadline)) {
	}
	waker->woken = false;
	pthread_mutex_unlock(&waker->lock);
}

limen_waker *
limen_request_waker(const limen_request *req)
{
	view *state = req == NULL ? NULL : req->view;

	if (state == NULL || !state->may_wait)
		return NULL;
	if (state->waker == NULL)
		state->waker = waker_new(sizeof(*state->waker));
	if (state->waker == NULL)
		return NULL;
	state->took_waker = true;
	return waker_ref(state->waker);
}

void
limen_waker_wake(limen_waker *waker)
{
	if (waker == NULL)
		return;
	if (waker->resume != NULL) {
		waker->resume(waker);
	} else {
		pthread_mutex_lock(&waker->lock);
		waker->woken = true;
		pthread_cond_signal(&waker->called);
		pthread_mutex_unlock(&waker->lock);
	}
	waker_unref(waker);
}
