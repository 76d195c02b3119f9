/* SPDX-License-Identifier: Apache-2.0 */
/* waker.c - wakes decisions that wait: a thread, or one that is resumed without a thread. */
#include "waker.h"

#include <stdlib.h>

#include "base/thread.h"
#include "request.h"

sleeper *
sleeper_new(size_t size, size_t entries)
{
	sleeper *made = calloc(1, size + entries * sizeof(limen_waker));

	if (made == NULL)
		return NULL;
	atomic_init(&made->references, 1);
	pthread_mutex_init(&made->lock, NULL);
	thread_condition(&made->called);
	made->wakers = (limen_waker *)(void *)((char *)made + size);
	for (size_t i = 0; i < entries; i++)
		made->wakers[i].owner = made;
	return made;
}

sleeper *
sleeper_ref(sleeper *self)
{
	atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
	return self;
}

void
sleeper_unref(sleeper *self)
{
	if (self == NULL ||
	    atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) > 1)
		return;
	pthread_cond_destroy(&self->called);
	pthread_mutex_destroy(&self->lock);
	free(self);
}

void
sleeper_wake(sleeper *self)
{
	if (self->resume != NULL) {
		self->resume(self);
	} else {
		pthread_mutex_lock(&self->lock);
		self->woken = true;
		pthread_cond_signal(&self->called);
		pthread_mutex_unlock(&self->lock);
	}
	sleeper_unref(self);
}

void
sleeper_wait(sleeper *self, int64_t deadline)
{
	pthread_mutex_lock(&self->lock);
	while (!self->woken && thread_wait(&self->called, &self->lock, deadline)) {
	}
	self->woken = false;
	pthread_mutex_unlock(&self->lock);
}

bool
sleeper_takes(sleeper *self, size_t index)
{
	return self != NULL && atomic_exchange(&self->wakers[index].called, false);
}

limen_waker *
limen_request_waker(const limen_request *req)
{
	view *state = req == NULL ? NULL : req->view;

	if (state == NULL || state->asked == 0)
		return NULL;
	if (state->sleeper == NULL)
		state->sleeper = sleeper_new(sizeof(*state->sleeper), state->entries);
	if (state->sleeper == NULL)
		return NULL;
	state->took_waker = true;
	return &sleeper_ref(state->sleeper)->wakers[state->asked - 1];
}

void
limen_waker_wake(limen_waker *waker)
{
	if (waker == NULL)
		return;
	atomic_store(&waker->called, true);
	sleeper_wake(waker->owner);
}
