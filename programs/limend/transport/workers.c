/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers.c - runs jobs on a fixed number of threads, with a FIFO queue for each kind of job.  A
 * mutex guards the queues and their counts; large and lengthy jobs run first, up to their share of
 * threads.
 */
#include "workers.h"

#include <glib.h>
#include <pthread.h>
#include <time.h>

typedef struct task {
	GList link; /* in the queue of its kind */
	work_kind kind;
	void (*job)(void *data);
	void *data;
} task;

/* The queue of one kind of task. */
typedef struct line {
	GQueue waiting;
	size_t taken;   /* places reserved, waiting or running */
	size_t most;    /* most places */
	size_t running;
	size_t at_once; /* most tasks that may run at once */
} line;

struct workers {
	pthread_mutex_t lock;
	pthread_cond_t work;
	line lines[WORK_KINDS];
	size_t taken;
	size_t most;
	bool ending;
	pthread_t *threads;
	size_t thread_count;
};

/* Takes the next task that may run, or returns NULL. */
static task *
take_task(workers *pool)
{
	/* Kinds with few threads come first; the others use the remaining threads. */
	for (size_t i = WORK_KINDS; i-- > 0;) {
		line *from = &pool->lines[i];

		if (!g_queue_is_empty(&from->waiting) && from->running < from->at_once) {
			from->running++;
			return g_queue_pop_head_link(&from->waiting)->data;
		}
	}
	return NULL;
}

/* Waits for a task; returns NULL when the pool is ending and no task may run. */
static task *
wait_for_task(workers *pool)
{
	task *found;

	pthread_mutex_lock(&pool->lock);
	found = take_task(pool);
	while (found == NULL && !pool->ending) {
		pthread_cond_wait(&pool->work, &pool->lock);
		found = take_task(pool);
	}
	pthread_mutex_unlock(&pool->lock);
	return found;
}

/* Ends a task.  No signal is needed: this thread takes the next task itself. */
static void
end_task(workers *pool, task *one)
{
	pthread_mutex_lock(&pool->lock);
	pool->lines[one->kind].running--;
	pool->lines[one->kind].taken--;
	pool->taken--;
	pthread_mutex_unlock(&pool->lock);
	g_free(one);
}

static void *
work(void *data)
{
	workers *pool = data;
	task *one = wait_for_task(pool);

	while (one != NULL) {
		one->job(one->data);
		end_task(pool, one);
		one = wait_for_task(pool);
	}
	return NULL;
}

workers *
workers_new(size_t threads, size_t queue)
{
	workers *pool = g_new0(workers, 1);

	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pool->most = threads + queue;
	pool->lines[WORK_QUICK] = (line){ .most = pool->most, .at_once = threads };
	pool->lines[WORK_LENGTHY] = (line){ .most = MAX(pool->most / 2, 1),
		.at_once = MAX(threads / 2, 1) };
	pool->lines[WORK_LARGE] = (line){ .most = MAX(pool->most / 4, 1),
		.at_once = MAX(threads / 8, 1) };
	pool->threads = g_new0(pthread_t, threads);
	while (pool->thread_count < threads) {
		if (pthread_create(&pool->threads[pool->thread_count], NULL, work, pool) != 0) {
			workers_free(pool);
			return NULL;
		}
		pool->thread_count++;
	}
	return pool;
}

bool
workers_reserve(workers *pool, work_kind kind)
{
	line *into = &pool->lines[kind];
	bool free_place;

	pthread_mutex_lock(&pool->lock);
	free_place = pool->taken < pool->most && into->taken < into->most;
	if (free_place) {
		pool->taken++;
		into->taken++;
	}
	pthread_mutex_unlock(&pool->lock);
	return free_place;
}

void
workers_push(workers *pool, work_kind kind, void (*job)(void *data), void *data)
{
	task *made = g_new(task, 1);

	*made = (task){ .link.data = made, .kind = kind, .job = job, .data = data };
	pthread_mutex_lock(&pool->lock);
	g_queue_push_tail_link(&pool->lines[kind].waiting, &made->link);
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
	g_free(pool->threads);
	g_free(pool);
}
