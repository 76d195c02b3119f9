/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.c - keeps the list of running or waiting calls of each pool, and finds those that hang.  One mutex
 * guards all lists; a call holds it for a few instructions at its start and its end.
 */
#include "watch.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"

/* A call hangs after this many timeouts. */
#define TIMEOUTS 3

/* A call hangs after this time if decisions have no timeout. */
#define WITHOUT_TIMEOUT (30 * LIMEN_SECOND)

#define MICROSECOND INT64_C(1000)

struct watch_pool {
	watch *owner;
	size_t threads;
	bool connections;
	GQueue calls;
};

struct watch {
	pthread_mutex_t lock;
	GPtrArray *pools;
	int64_t limit; /* nanoseconds */
};

watch *
watch_new(limen_duration timeout)
{
	watch *self = g_new0(watch, 1);

	pthread_mutex_init(&self->lock, NULL);
	self->pools = g_ptr_array_new_with_free_func(g_free);
	self->limit = (timeout > 0 ? TIMEOUTS * timeout : WITHOUT_TIMEOUT) * MICROSECOND;
	return self;
}

void
watch_free(watch *self)
{
	if (self == NULL)
		return;
	g_ptr_array_free(self->pools, TRUE);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

watch_pool *
watch_add(watch *self, size_t threads, bool connections)
{
	watch_pool *pool = g_new0(watch_pool, 1);

	*pool = (watch_pool){ .owner = self, .threads = threads, .connections = connections };
	pthread_mutex_lock(&self->lock);
	g_ptr_array_add(self->pools, pool);
	pthread_mutex_unlock(&self->lock);
	return pool;
}

void
watch_begin(watch_pool *pool, watch_call *call, limen_activity *activity)
{
	*call = (watch_call){ .link.data = call, .pool = pool, .since = limen_host_monotonic(),
		              .activity = activity };
	pthread_mutex_lock(&pool->owner->lock);
	g_queue_push_tail_link(&pool->calls, &call->link);
	pthread_mutex_unlock(&pool->owner->lock);
}

void
watch_end(watch_call *call)
{
	watch_pool *pool = call->pool;

	pthread_mutex_lock(&pool->owner->lock);
	g_queue_unlink(&pool->calls, &call->link);
	pthread_mutex_unlock(&pool->owner->lock);
}

/* The oldest calls come first.  Returns the next one that hangs, from 'link' on, or NULL. */
static watch_call *
next_hung(const watch *self, const GList *link, int64_t now)
{
	watch_call *call = link == NULL ? NULL : link->data;

	return call != NULL && now - call->since > self->limit ? call : NULL;
}

watch_summary
watch_look(watch *self)
{
	watch_summary found = { .running = 0 };
	int64_t now = limen_host_monotonic();

	if (self == NULL)
		return found;
	pthread_mutex_lock(&self->lock);
	for (guint i = 0; i < self->pools->len; i++) {
		const watch_pool *pool = g_ptr_array_index(self->pools, i);
		const watch_call *call = next_hung(self, pool->calls.head, now);
		size_t hung = 0;

		for (; call != NULL; call = next_hung(self, call->link.next, now))
			hung++;
		found.running += pool->calls.length;
		*(pool->threads > 0 ? &found.hung : &found.stuck) += hung;
		found.deaf = found.deaf || (pool->connections && hung > 0);
		found.dead = found.dead || (pool->threads > 0 && hung >= pool->threads);
	}
	pthread_mutex_unlock(&self->lock);
	return found;
}

static void
log_call(watch_call *call, int64_t now)
{
	char *activity = limen_activity_text(call->activity);

	log_print(LIMEN_LOG_ERROR, NULL, "%s for %.1f s, now in %s",
	          call->pool->threads > 0
	                  ? "a thread hangs: it has been busy with one request"
	                  : "a decision hangs: it has waited for an answer of another system",
	          (double)(now - call->since) / 1e9, activity == NULL ? "no module" : activity);
	call->logged = true;
	free(activity);
}

void
watch_tick(watch *self)
{
	int64_t now = limen_host_monotonic();

	pthread_mutex_lock(&self->lock);
	for (guint i = 0; i < self->pools->len; i++) {
		const watch_pool *pool = g_ptr_array_index(self->pools, i);
		watch_call *call = next_hung(self, pool->calls.head, now);

		/* Thousands may wait for the same: only the oldest is logged. */
		for (; call != NULL; call = next_hung(self, call->link.next, now))
			if (!call->logged && (pool->threads > 0 || call->link.prev == NULL))
				log_call(call, now);
	}
	pthread_mutex_unlock(&self->lock);
}
