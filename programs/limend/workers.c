/* SPDX-License-Identifier: Apache-2.0 */
#include "workers.h"

#include <glib.h>
#include <pthread.h>
#include <time.h>

typedef struct task {
	struct task *next;
	void (*job)(void *data);
	void *data;
} task;

struct workers {
	pthread_mutex_t lock;
	pthread_cond_t work;
	task *first;
	task **last;
	size_t taken; /* places: promised, waiting or running */
	size_t most;
	bool ending;
	pthread_t *threads;
	size_t thread_count;
};

/* The next task, or NULL when there will be no more. */
static task *
wait_for_task(workers *pool)
{
	task *found;

	pthread_mutex_lock(&pool->lock);
	while (pool->first == NULL && !pool->ending)
		pthread_cond_wait(&pool->work, &pool->lock);
	found = pool->first;
	if (found != NULL) {
		pool->first = found->next;
		if (pool->first == NULL)
			pool->last = &pool->first;
	}
	pthread_mutex_unlock(&pool->lock);
	return found;
}

static void *
work(void *data)
{
	workers *pool = data;
	task *one = wait_for_task(pool);

	while (one != NULL) {
		one->job(one->data);
		g_free(one);
		pthread_mutex_lock(&pool->lock);
		pool->taken--;
		pthread_mutex_unlock(&pool->lock);
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
	pool->last = &pool->first;
	pool->most = threads + queue;
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
workers_reserve(workers *pool)
{
	bool free_place;

	pthread_mutex_lock(&pool->lock);
	free_place = pool->taken < pool->most;
	if (free_place)
		pool->taken++;
	pthread_mutex_unlock(&pool->lock);
	return free_place;
}

void
workers_push(workers *pool, void (*job)(void *data), void *data)
{
	task *made = g_new(task, 1);

	*made = (task){ .job = job, .data = data };
	pthread_mutex_lock(&pool->lock);
	*pool->last = made;
	pool->last = &made->next;
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
