/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.c - keeps the list of running or waiting calls of each pool, and finds those that hang.  A
 * mutex guards each list; a call holds it for a few instructions at its start and its end.
 */
#include "watch.h"

#include <limen/host.h>
#include <pthread.h>

#include "../common/auto.h"
#include "base/coarse_clock.h"
#include "base/log.h"

/* A call hangs after this many timeouts. */
#define TIMEOUTS 3

#define MICROSECOND INT64_C(1000)

struct watch_pool {
	pthread_mutex_t lock; /* guards 'calls' */
	size_t threads;
	bool connections;
	GQueue calls;
};

struct watch {
	pthread_mutex_t lock; /* guards 'pools'; taken before that of a pool */
	GPtrArray *pools;
	int64_t limit; /* nanoseconds */
};

static void
free_pool(void *data)
{
	watch_pool *pool = data;

	pthread_mutex_destroy(&pool->lock);
	g_free(pool);
}

watch *
watch_new(limen_duration timeout)
{
	watch *self = g_new0(watch, 1);

	pthread_mutex_init(&self->lock, NULL);
	self->pools = g_ptr_array_new_with_free_func(free_pool);
	self->limit = TIMEOUTS * timeout * MICROSECOND;
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

	*pool = (watch_pool){ .threads = threads, .connections = connections };
	pthread_mutex_init(&pool->lock, NULL);
	pthread_mutex_lock(&self->lock);
	g_ptr_array_add(self->pools, pool);
	pthread_mutex_unlock(&self->lock);
	return pool;
}

void
watch_begin(watch_pool *pool, watch_call *call, limen_activity *activity)
{
	*call = (watch_call){ .link.data = call, .pool = pool, .since = coarse_clock(),
		              .activity = activity };
	pthread_mutex_lock(&pool->lock);
	g_queue_push_tail_link(&pool->calls, &call->link);
	pthread_mutex_unlock(&pool->lock);
}

void
watch_end(watch_call *call)
{
	watch_pool *pool = call->pool;

	pthread_mutex_lock(&pool->lock);
	g_queue_unlink(&pool->calls, &call->link);
	pthread_mutex_unlock(&pool->lock);
}

static void
log_call(watch_call *call, int64_t now)
{
	g_auto(heap_text) activity = limen_activity_text(call->activity);

	log_print(LIMEN_LOG_ERROR, NULL, "%s for %.1f s, now in %s",
	          call->pool->threads > 0
	                  ? "a thread hangs: it has been busy with one request"
	                  : "a decision hangs: it has waited for an answer of another system",
	          (double)(now - call->since) / 1e9, activity == NULL ? "no module" : activity);
	call->logged = true;
}

/*
 * Returns how many calls of the pool hang.  With 'log', logs each of them once, but only the oldest
 * wait: thousands may wait for the same.
 */
static size_t
count_hung(const watch *self, watch_pool *pool, bool log)
{
	int64_t now = limen_host_monotonic();
	size_t hung = 0;

	pthread_mutex_lock(&pool->lock);
	/* The oldest calls come first. */
	for (GList *link = pool->calls.head; link != NULL; link = link->next) {
		watch_call *call = link->data;

		if (now - call->since <= self->limit)
			break;
		if (log && !call->logged && (pool->threads > 0 || hung == 0))
			log_call(call, now);
		hung++;
	}
	pthread_mutex_unlock(&pool->lock);
	return hung;
}

watch_summary
watch_look(watch *self)
{
	watch_summary found = { .hung = 0 };

	if (self == NULL)
		return found;
	pthread_mutex_lock(&self->lock);
	for (guint i = 0; i < self->pools->len; i++) {
		watch_pool *pool = g_ptr_array_index(self->pools, i);
		size_t hung = count_hung(self, pool, false);

		*(pool->threads > 0 ? &found.hung : &found.stuck) += hung;
		found.deaf = found.deaf || (pool->connections && hung > 0);
		found.dead = found.dead || (pool->threads > 0 && hung >= pool->threads);
	}
	pthread_mutex_unlock(&self->lock);
	return found;
}

void
watch_tick(watch *self)
{
	pthread_mutex_lock(&self->lock);
	for (guint i = 0; i < self->pools->len; i++)
		count_hung(self, g_ptr_array_index(self->pools, i), true);
	pthread_mutex_unlock(&self->lock);
}
