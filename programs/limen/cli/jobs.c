/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs.c - runs jobs on a pool of at most 64 threads, first in, first out.  Owns the threads and
 * the queue, which a mutex guards.  If no thread could be started, jobs_give() runs the job
 * itself.
 */
#include "jobs.h"

#include <glib.h>
#include <pthread.h>

/* Upper limit on threads: more would only wait for memory. */
#define THREADS_MAX 64

struct jobs {
	GAsyncQueue *given; /* job; &end for each thread at the end */
	pthread_mutex_t lock;
	pthread_cond_t finished;
	unsigned count;
	pthread_t threads[THREADS_MAX];
};

static job end;

static void *
work(void *data)
{
	jobs *self = data;

	for (job *item; (item = g_async_queue_pop(self->given)) != &end;) {
		item->run(item);
		pthread_mutex_lock(&self->lock);
		item->done = true;
		pthread_cond_broadcast(&self->finished);
		pthread_mutex_unlock(&self->lock);
	}
	return NULL;
}

jobs *
jobs_start(void)
{
	jobs *self = g_new0(jobs, 1);
	unsigned wanted = MIN(g_get_num_processors(), THREADS_MAX);

	self->given = g_async_queue_new();
	pthread_mutex_init(&self->lock, NULL);
	pthread_cond_init(&self->finished, NULL);
	while (self->count < wanted &&
	       pthread_create(&self->threads[self->count], NULL, work, self) == 0)
		self->count++;
	return self;
}

unsigned
jobs_threads(const jobs *self)
{
	return MAX(self->count, 1);
}

void
jobs_give(jobs *self, job *item)
{
	item->done = self->count == 0;
	if (item->done)
		item->run(item);
	else
		g_async_queue_push(self->given, item);
}

void
jobs_wait(jobs *self, job *item)
{
	pthread_mutex_lock(&self->lock);
	while (!item->done)
		pthread_cond_wait(&self->finished, &self->lock);
	pthread_mutex_unlock(&self->lock);
}

void
jobs_finish(jobs *self)
{
	for (unsigned i = 0; i < self->count; i++)
		g_async_queue_push(self->given, &end);
	for (unsigned i = 0; i < self->count; i++)
		pthread_join(self->threads[i], NULL);
	pthread_cond_destroy(&self->finished);
	pthread_mutex_destroy(&self->lock);
	g_async_queue_unref(self->given);
	g_free(self);
}
