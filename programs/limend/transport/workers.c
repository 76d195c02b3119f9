/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers.c - runs jobs on a fixed number of threads.  A mutex guards the queues and their counts.
 * Each peer has a FIFO queue for each kind of job, and peers take turns, so that slow jobs of a peer
 * delay its own.  Large and lengthy jobs run first, up to their share of threads.
 */
#include "workers.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* A peer may have this many times as many places as are free. */
#define PEER_SHARE 7

/* A peer with places.  It is removed with its last place. */
typedef struct work_peer {
	GList turns[WORK_KINDS]; /* in the line of the kind, while jobs wait */
	GQueue waiting[WORK_KINDS];
	size_t taken;            /* places */
	char address[];
} work_peer;

struct work {
	GList link; /* in the queue of its peer */
	work_kind kind;
	bool again; /* its request waited without a place; the bounds do not count it */
	work_peer *peer;
	void (*job)(void *data);
	void *data;
};

/* All jobs of one kind. */
typedef struct line {
	GQueue turns;   /* peers with waiting jobs, the next one first */
	size_t taken;   /* places reserved, waiting or running */
	size_t again;   /* those of requests that waited */
	size_t most;    /* most of the others */
	size_t running;
	size_t at_once; /* most tasks that may run at once */
} line;

struct workers {
	pthread_mutex_t lock;
	pthread_cond_t work;
	line lines[WORK_KINDS];
	GHashTable *peers; /* by address */
	size_t taken;
	size_t again; /* as in lines */
	size_t most;
	bool ending;
	pthread_t *threads;
	size_t thread_count;
};

/* Takes the next job of the peer whose turn it is. */
static work *
take_turn(line *from, size_t kind)
{
	work_peer *next = g_queue_pop_head_link(&from->turns)->data;
	work *found = g_queue_pop_head_link(&next->waiting[kind])->data;

	if (!g_queue_is_empty(&next->waiting[kind]))
		g_queue_push_tail_link(&from->turns, &next->turns[kind]);
	from->running++;
	return found;
}

/* Takes the next job that may run, or returns NULL. */
static work *
take_work(workers *pool)
{
	/* Kinds with few threads come first; the others use the remaining threads. */
	for (size_t i = WORK_KINDS; i-- > 0;) {
		line *from = &pool->lines[i];

		if (!g_queue_is_empty(&from->turns) && from->running < from->at_once)
			return take_turn(from, i);
	}
	return NULL;
}

/* Waits for a job; returns NULL when the pool is ending and no job may run. */
static work *
wait_for_work(workers *pool)
{
	work *found;

	pthread_mutex_lock(&pool->lock);
	found = take_work(pool);
	while (found == NULL && !pool->ending) {
		pthread_cond_wait(&pool->work, &pool->lock);
		found = take_work(pool);
	}
	pthread_mutex_unlock(&pool->lock);
	return found;
}

/* Ends a job.  No signal is needed: this thread takes the next job itself. */
static void
end_work(workers *pool, work *one)
{
	pthread_mutex_lock(&pool->lock);
	pool->lines[one->kind].running--;
	pool->lines[one->kind].taken--;
	pool->lines[one->kind].again -= one->again;
	pool->taken--;
	pool->again -= one->again;
	if (--one->peer->taken == 0)
		g_hash_table_remove(pool->peers, one->peer->address);
	pthread_mutex_unlock(&pool->lock);
	g_free(one);
}

static void *
run(void *data)
{
	workers *pool = data;
	work *one = wait_for_work(pool);

	while (one != NULL) {
		one->job(one->data);
		end_work(pool, one);
		one = wait_for_work(pool);
	}
	return NULL;
}

workers *
workers_new(size_t threads, size_t queue)
{
	workers *pool = g_new0(workers, 1);

	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pool->peers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	pool->most = threads + queue;
	pool->lines[WORK_QUICK] = (line){ .most = pool->most, .at_once = threads };
	pool->lines[WORK_LENGTHY] = (line){ .most = MAX(pool->most / 2, 1),
		.at_once = MAX(threads / 2, 1) };
	pool->lines[WORK_LARGE] = (line){ .most = MAX(pool->most / 4, 1),
		.at_once = MAX(threads / 8, 1) };
	pool->threads = g_new0(pthread_t, threads);
	while (pool->thread_count < threads) {
		if (pthread_create(&pool->threads[pool->thread_count], NULL, run, pool) != 0) {
			workers_free(pool);
			return NULL;
		}
		pool->thread_count++;
	}
	return pool;
}

/* Finds or adds the peer.  The lock is held. */
static work_peer *
get_peer(workers *pool, const char *address)
{
	const char *key = address == NULL ? "" : address;
	work_peer *found = g_hash_table_lookup(pool->peers, key);
	size_t size = strlen(key) + 1;

	if (found != NULL)
		return found;
	found = g_malloc0(sizeof(*found) + size);
	memcpy(found->address, key, size);
	for (size_t i = 0; i < WORK_KINDS; i++)
		found->turns[i].data = found;
	g_hash_table_insert(pool->peers, found->address, found);
	return found;
}

/* Has the peer, NULL if it has no place, a claim to another?  The lock is held. */
static bool
has_place(const workers *pool, const line *into, const work_peer *peer)
{
	size_t taken = pool->taken - pool->again;

	return taken < pool->most && into->taken - into->again < into->most &&
	       (peer == NULL || peer->taken / PEER_SHARE < pool->most - taken);
}

work *
workers_reserve(workers *pool, work_kind kind, const char *address, bool again)
{
	line *into = &pool->lines[kind];
	work *made = NULL;

	pthread_mutex_lock(&pool->lock);
	if (again || has_place(pool, into, g_hash_table_lookup(pool->peers,
	                                                       address == NULL ? "" : address))) {
		made = g_new0(work, 1);
		*made = (work){ .link.data = made, .kind = kind,
			        .peer = get_peer(pool, address), .again = again };
		into->again += again;
		pool->again += again;
		made->peer->taken++;
		into->taken++;
		pool->taken++;
	}
	pthread_mutex_unlock(&pool->lock);
	return made;
}

void
workers_push(workers *pool, work *place, void (*job)(void *data), void *data)
{
	work_peer *peer = place->peer;
	work_kind kind = place->kind;

	place->job = job;
	place->data = data;
	pthread_mutex_lock(&pool->lock);
	if (g_queue_is_empty(&peer->waiting[kind]))
		g_queue_push_tail_link(&pool->lines[kind].turns, &peer->turns[kind]);
	g_queue_push_tail_link(&peer->waiting[kind], &place->link);
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

bool
workers_wait(workers *pool, unsigned milliseconds)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	bool busy = true;

	for (unsigned i = 0; busy && i <= milliseconds; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		pthread_mutex_lock(&pool->lock);
		busy = pool->taken > 0;
		pthread_mutex_unlock(&pool->lock);
	}
	return !busy;
}

void
workers_free(workers *pool)
{
	if (pool == NULL)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->ending = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	g_hash_table_destroy(pool->peers);
	g_free(pool->threads);
	g_free(pool);
}
