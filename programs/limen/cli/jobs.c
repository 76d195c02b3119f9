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
	pthread_mutex_t lock;
	pthread_cond_t given;
	pthread_cond_t finished;
	job *first;
	job **last;
	bool ending;
	unsigned count;
	pthread_t threads[THREADS_MAX];
};

static void *
work(void *data)
{
	jobs *self = data;

	pthread_mutex_lock(&self->lock);
	while (self->first != NULL || !self->ending) {
		job *item = self->first;

		if (item == NULL) {
			pthread_cond_wait(&self->given, &self->lock);
			continue;
		}
		self->first = item->next;
		if (self->first == NULL)
			self->last = &self->first;
		pthread_mutex_unlock(&self->lock);
		item->run(item);
		pthread_mutex_lock(&self->lock);
		item->done = true;
		pthread_cond_broadcast(&self->finished);
	}
	pthread_mutex_unlock(&self->lock);
	return NULL;
}

jobs *
jobs_start(void)
{
	jobs *self = g_new0(jobs, 1);
	unsigned wanted = MIN(g_get_num_processors(), THREADS_MAX);

	pthread_mutex_init(&self->lock, NULL);
	pthread_cond_init(&self->given, NULL);
	pthread_cond_init(&self->finished, NULL);
	self->last = &self->first;
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
	item->next = NULL;
	item->done = false;
	if (self->count == 0) {
		item->run(item);
		item->done = true;
		return;
	}
	pthread_mutex_lock(&self->lock);
	*self->last = item;
	self->last = &item->next;
	pthread_cond_signal(&self->given);
	pthread_mutex_unlock(&self->lock);
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
	pthread_mutex_lock(&self->lock);
	self->ending = true;
	pthread_cond_broadcast(&self->given);
	pthread_mutex_unlock(&self->lock);
	for (unsigned i = 0; i < self->count; i++)
		pthread_join(self->threads[i], NULL);
	pthread_cond_destroy(&self->finished);
	pthread_cond_destroy(&self->given);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}
