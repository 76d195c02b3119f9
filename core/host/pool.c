/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - runs blocking calls on worker threads that start on demand and end after 30 idle
 * seconds.  It owns the threads and the job queue, under one lock; timed waits use
 * CLOCK_MONOTONIC.
 */
#include "pool.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/thread.h"

#define IDLE_NANOSECONDS (INT64_C(30) * 1000000000)

enum state { QUEUED, RUNNING, OVER, CANCELLED };

struct pool_job {
	pool_job *next;
	pthread_cond_t over;
	enum state state;
	bool dropped; /* by the caller */
	bool abandoned; /* while it ran */
	size_t limit;
	void (*run)(void *data);
	void (*release)(void *data);
	void *data;
};

typedef struct worker {
	struct worker *next; /* among those that ended */
	pool *pool;
	pthread_t thread;
} worker;

struct pool {
	pthread_mutex_t lock; /* guards everything below and every job */
	pthread_cond_t work;  /* a job can start, or the pool is closing */
	pthread_cond_t ended; /* a worker ended */
	pool_job *first;
	pool_job **last; /* where the next job is linked */
	size_t queued;
	size_t running;
	size_t abandoned; /* of those that run */
	size_t threads;
	worker *ended_workers; /* to be joined */
	bool closing;
	bool left; /* threads that still run are not joined */
};

pool *
pool_new(void)
{
	pool *workers = calloc(1, sizeof(*workers));

	if (workers == NULL)
		return NULL;
	workers->last = &workers->first;
	pthread_mutex_init(&workers->lock, NULL);
	thread_condition(&workers->work);
	thread_condition(&workers->ended);
	return workers;
}

/* ---- jobs ---- */

static void
free_job(pool_job *job)
{
	job->release(job->data);
	pthread_cond_destroy(&job->over);
	free(job);
}

static void
unlink_job(pool *workers, pool_job *job)
{
	pool_job **link = &workers->first;

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	if (job->next == NULL)
		workers->last = link;
	job->next = NULL;
	workers->queued--;
}

/* A job further back may be allowed to start once this one is gone. */
static void
cancel_queued(pool *workers, pool_job *job)
{
	if (job->state != QUEUED)
		return;
	unlink_job(workers, job);
	job->state = CANCELLED;
	pthread_cond_broadcast(&workers->work);
}

static pool_job *
make_job(size_t limit, void (*run)(void *data), void (*release)(void *data), void *data)
{
	pool_job *job = calloc(1, sizeof(*job));

	if (job == NULL)
		return NULL;
	*job = (pool_job){
		.state = QUEUED,
		.limit = limit,
		.run = run,
		.release = release,
		.data = data,
	};
	thread_condition(&job->over);
	return job;
}

/* ---- workers ---- */

/* Counts the running jobs whose workers have been replaced. */
static size_t
count_replaced(const pool *workers)
{
	return workers->abandoned < POOL_REPLACED_MAX ? workers->abandoned : POOL_REPLACED_MAX;
}

static bool
can_start(const pool *workers)
{
	return workers->first != NULL &&
	       workers->running - count_replaced(workers) < workers->first->limit;
}

/* Lock held; let go of while the job runs. */
static void
run_first(pool *workers)
{
	pool_job *job = workers->first;

	unlink_job(workers, job);
	job->state = RUNNING;
	workers->running++;
	if (can_start(workers))
		pthread_cond_signal(&workers->work);
	pthread_mutex_unlock(&workers->lock);
	job->run(job->data);
	pthread_mutex_lock(&workers->lock);
	job->state = OVER;
	workers->running--;
	workers->abandoned -= job->abandoned;
	if (job->dropped) {
		pthread_mutex_unlock(&workers->lock);
		free_job(job);
		pthread_mutex_lock(&workers->lock);
	} else {
		pthread_cond_broadcast(&job->over);
	}
}

/* Waits for a job that can start; false when this worker should end. */
static bool
wait_for_work(pool *workers)
{
	int64_t end = limen_host_monotonic() + IDLE_NANOSECONDS;

	while (!can_start(workers)) {
		if (workers->closing)
			return false;
		/* A queued job may become startable without a further pool_submit(). */
		if (workers->first != NULL)
			pthread_cond_wait(&workers->work, &workers->lock);
		else if (!thread_wait(&workers->work, &workers->lock, end))
			return can_start(workers);
	}
	return true;
}

static void *
work(void *data)
{
	worker *self = data;
	pool *workers = self->pool;

	pthread_setname_np(pthread_self(), "limen-worker");
	pthread_mutex_lock(&workers->lock);
	while (wait_for_work(workers))
		run_first(workers);
	workers->threads--;
	if (workers->left) {
		pthread_detach(pthread_self());
		free(self);
	} else {
		self->next = workers->ended_workers;
		workers->ended_workers = self;
		pthread_cond_signal(&workers->ended);
	}
	pthread_mutex_unlock(&workers->lock);
	return NULL;
}

static bool
start_worker(pool *workers)
{
	worker *self = calloc(1, sizeof(*self));

	if (self == NULL)
		return false;
	self->pool = workers;
	if (thread_start(&self->thread, work, self) != 0) {
		free(self);
		return false;
	}
	workers->threads++;
	return true;
}

/* These threads hold no lock any more and are about to end. */
static void
join_workers(worker *list)
{
	while (list != NULL) {
		worker *next = list->next;

		pthread_join(list->thread, NULL);
		free(list);
		list = next;
	}
}

static worker *
take_ended(pool *workers)
{
	worker *ended = workers->ended_workers;

	workers->ended_workers = NULL;
	return ended;
}

/* ---- callers ---- */

/* Queues 'job' if it can run: now, or when an existing thread becomes free. */
static bool
accept_job(pool *workers, pool_job *job)
{
	size_t replaced = count_replaced(workers);
	size_t active = workers->running - replaced + workers->queued;
	size_t idle = workers->threads - workers->running;

	/* All workers run abandoned jobs, which may never return. */
	if (workers->abandoned - replaced >= job->limit)
		return false;
	if (active >= job->limit && active - job->limit >= job->limit)
		return false;
	if (idle <= workers->queued && workers->threads < job->limit + replaced &&
	    !start_worker(workers) &&
	    (job->limit == POOL_UNLIMITED || workers->threads == workers->abandoned))
		return false;
	*workers->last = job;
	workers->last = &job->next;
	workers->queued++;
	pthread_cond_signal(&workers->work);
	return true;
}

/* Offers 'job' to the pool; frees a refused job, but does not call its 'release'. */
static bool
offer_job(pool *workers, pool_job *job)
{
	worker *ended;
	bool accepted;

	pthread_mutex_lock(&workers->lock);
	accepted = accept_job(workers, job);
	ended = take_ended(workers);
	pthread_mutex_unlock(&workers->lock);
	join_workers(ended);
	if (accepted)
		return true;
	pthread_cond_destroy(&job->over);
	free(job);
	return false;
}

pool_job *
pool_submit(pool *workers, size_t limit, void (*run)(void *data), void (*release)(void *data),
            void *data)
{
	pool_job *job = make_job(limit, run, release, data);

	return job != NULL && offer_job(workers, job) ? job : NULL;
}

bool
pool_start(pool *workers, size_t limit, void (*run)(void *data), void (*release)(void *data),
           void *data)
{
	pool_job *job = make_job(limit, run, release, data);

	if (job == NULL)
		return false;
	job->dropped = true;
	return offer_job(workers, job);
}

bool
pool_wait(pool *workers, pool_job *job, int64_t deadline)
{
	bool over;

	pthread_mutex_lock(&workers->lock);
	while (job->state == QUEUED || job->state == RUNNING)
		if (!thread_wait(&job->over, &workers->lock, deadline))
			break;
	over = job->state == OVER;
	cancel_queued(workers, job);
	pthread_mutex_unlock(&workers->lock);
	return over;
}

/* Lets a queued job start in place of an abandoned one.  Lock held. */
static void
replace_worker(pool *workers)
{
	if (!can_start(workers))
		return;
	if (workers->threads == workers->running)
		start_worker(workers);
	pthread_cond_signal(&workers->work);
}

void
pool_drop(pool *workers, pool_job *job)
{
	bool last;

	pthread_mutex_lock(&workers->lock);
	cancel_queued(workers, job);
	job->dropped = true;
	last = job->state != RUNNING;
	if (!last) {
		job->abandoned = true;
		workers->abandoned++;
		replace_worker(workers);
	}
	pthread_mutex_unlock(&workers->lock);
	if (last)
		free_job(job);
}

bool
pool_free(pool *workers, int64_t deadline)
{
	worker *ended;
	bool left;

	if (workers == NULL)
		return true;
	pthread_mutex_lock(&workers->lock);
	workers->closing = true;
	pthread_cond_broadcast(&workers->work);
	while (workers->threads > 0 && thread_wait(&workers->ended, &workers->lock, deadline)) {
	}
	left = workers->threads > 0;
	workers->left = left;
	ended = take_ended(workers);
	pthread_mutex_unlock(&workers->lock);
	join_workers(ended);
	if (left)
		return false;
	pthread_cond_destroy(&workers->work);
	pthread_cond_destroy(&workers->ended);
	pthread_mutex_destroy(&workers->lock);
	free(workers);
	return true;
}
