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
	size_t running[WORK_KINDS];
	size_t all_running;
	size_t taken;            /* places */
	char address[];
} work_peer;

struct work {
	GList link; /* in the queue of its peer */
	work_kind kind;
	bool again; /* its request waited for lookups; the bounds do not count it */
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

/* A thread without a job. */
typedef struct idler {
	pthread_cond_t called;
	bool awake;
	struct idler *next;
} idler;

struct workers {
	pthread_mutex_t lock;
	idler *idle; /* the last one to be so is called first: its caches are warm */
	line lines[WORK_KINDS];
	GHashTable *peers; /* by address */
	size_t taken; /* as in lines */
	size_t again;
	size_t most;
	size_t running;
	bool ending;
	pthread_t *threads;
	size_t thread_count;
};

/* Does a thread stay free for others, unless the peer has none? */
static bool
may_run(const workers *pool, size_t kind, const work_peer *peer)
{
	const line *from = &pool->lines[kind];

	return (peer->all_running == 0 || pool->running + 1 < pool->lines[WORK_QUICK].at_once) &&
	       (peer->running[kind] == 0 || from->running + 1 < from->at_once);
}

/* Returns the peer whose turn it is, in the line of '*kind', or NULL. */
static GList *
find_turn(workers *pool, size_t *kind)
{
	/* Kinds with few threads come first; the others use the remaining threads. */
	for (*kind = WORK_KINDS; (*kind)-- > 0;) {
		line *from = &pool->lines[*kind];
		GList *turn = from->running < from->at_once ? from->turns.head : NULL;

		while (turn != NULL && !may_run(pool, *kind, turn->data))
			turn = turn->next;
		if (turn != NULL)
			return turn;
	}
	return NULL;
}

static work *
take_turn(workers *pool, GList *turn, size_t kind)
{
	line *from = &pool->lines[kind];
	work_peer *next = turn->data;
	work *found = g_queue_pop_head_link(&next->waiting[kind])->data;

	g_queue_unlink(&from->turns, turn);
	if (!g_queue_is_empty(&next->waiting[kind]))
		g_queue_push_tail_link(&from->turns, turn);
	next->running[kind]++;
	next->all_running++;
	from->running++;
	pool->running++;
	return found;
}

/* Calls a thread, if there is an idle one.  The lock is held. */
static void
wake(workers *pool)
{
	idler *called = pool->idle;

	if (called == NULL)
		return;
	pool->idle = called->next;
	called->awake = true;
	pthread_cond_signal(&called->called);
}

/* The lock is held. */
static void
idle(workers *pool, idler *self)
{
	self->awake = false;
	self->next = pool->idle;
	pool->idle = self;
	while (!self->awake)
		pthread_cond_wait(&self->called, &pool->lock);
}

/* Waits for a job; returns NULL when the pool is ending and no job may run. */
static work *
wait_for_work(workers *pool, idler *self)
{
	work *found = NULL;
	GList *turn;
	size_t kind;

	pthread_mutex_lock(&pool->lock);
	while ((turn = find_turn(pool, &kind)) == NULL && !pool->ending)
		idle(pool, self);
	if (turn != NULL)
		found = take_turn(pool, turn, kind);
	/* The end of one job may let two run. */
	if (find_turn(pool, &kind) != NULL)
		wake(pool);
	pthread_mutex_unlock(&pool->lock);
	return found;
}

/* Ends a job.  No signal is needed: this thread looks for the next job itself. */
static void
end_work(workers *pool, work *item)
{
	pthread_mutex_lock(&pool->lock);
	item->peer->running[item->kind]--;
	item->peer->all_running--;
	pool->running--;
	pool->lines[item->kind].running--;
	pool->lines[item->kind].taken--;
	pool->lines[item->kind].again -= item->again;
	pool->taken--;
	pool->again -= item->again;
	if (--item->peer->taken == 0)
		g_hash_table_remove(pool->peers, item->peer->address);
	pthread_mutex_unlock(&pool->lock);
	g_free(item);
}

static void *
run(void *data)
{
	workers *pool = data;
	idler self;
	work *item;

	pthread_cond_init(&self.called, NULL);
	while ((item = wait_for_work(pool, &self)) != NULL) {
		item->job(item->data);
		end_work(pool, item);
	}
	pthread_cond_destroy(&self.called);
	return NULL;
}

workers *
workers_new(size_t threads, size_t queue)
{
	workers *pool = g_new0(workers, 1);

	pthread_mutex_init(&pool->lock, NULL);
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
	work_peer *found = g_hash_table_lookup(pool->peers, address);
	size_t size = strlen(address) + 1;

	if (found != NULL)
		return found;
	found = g_malloc0(sizeof(*found) + size);
	memcpy(found->address, address, size);
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
workers_reserve(workers *pool, work_kind kind, const char *peer, bool again)
{
	line *into = &pool->lines[kind];
	work *added = NULL;

	pthread_mutex_lock(&pool->lock);
	if (again || has_place(pool, into, g_hash_table_lookup(pool->peers, peer))) {
		added = g_new0(work, 1);
		*added = (work){ .link.data = added, .kind = kind,
			        .peer = get_peer(pool, peer), .again = again };
		into->again += again;
		pool->again += again;
		added->peer->taken++;
		into->taken++;
		pool->taken++;
	}
	pthread_mutex_unlock(&pool->lock);
	return added;
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
	wake(pool);
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
	while (pool->idle != NULL)
		wake(pool);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_mutex_destroy(&pool->lock);
	g_hash_table_destroy(pool->peers);
	g_free(pool->threads);
	g_free(pool);
}
