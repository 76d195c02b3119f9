/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - a bounded number of threads for calls that may block.
 *
 * A job belongs to two at once: the caller, who may wait for it and gives up
 * when its time is over, and the worker, who may still be inside the call by
 * then.  Whoever lets go last releases what the job works on.
 */
#ifndef LIMEN_CORE_HOST_POOL_H
#define LIMEN_CORE_HOST_POOL_H

#include <limen/types.h>

/* Abandoned jobs that get a replacement worker at most; they do not count as running. */
#define POOL_REPLACED_MAX 16

/* The limit of jobs that may never return: each gets a thread at once or is refused. */
#define POOL_UNLIMITED (SIZE_MAX / 2)

typedef struct pool pool;
typedef struct pool_job pool_job;

/* Makes a pool without any thread.  NULL when memory is short. */
pool *pool_new(void);

/*
 * Ends all threads, waiting for running jobs until limen_host_monotonic() has reached
 * 'deadline' (INT64_MAX: no limit), and frees.  Returns false if jobs are still running: the
 * pool and their data must then stay.  Every caller must have dropped its jobs.  NULL is fine.
 */
bool pool_free(pool *workers, int64_t deadline);

/*
 * Runs run(data) on a worker: jobs start in the order of submission, and none
 * starts while 'limit' jobs run.  Threads are started on demand, and end after
 * half a minute without work.  release(data) is called exactly once, when the
 * job is over or will never start and the caller has dropped it.  Returns NULL,
 * and never calls 'release', when 'limit' jobs run and as many wait already, when all
 * that run were abandoned, or when memory or threads are short.
 */
pool_job *pool_submit(pool *workers, size_t limit, void (*run)(void *data),
                      void (*release)(void *data), void *data);

/* As pool_submit(), without a handle to wait on; returns whether the job was accepted. */
bool pool_start(pool *workers, size_t limit, void (*run)(void *data),
                void (*release)(void *data), void *data);

/*
 * Waits until the job is over or limen_host_monotonic() has reached 'deadline'
 * (INT64_MAX: no limit).  Returns whether the job is over; if not, and the job has not
 * started, it is cancelled.
 */
bool pool_wait(pool *workers, pool_job *job, int64_t deadline);

/*
 * Releases the caller's share of 'job'; call it exactly once for each job.  A job that has
 * not started is cancelled.  A running job is abandoned: it may never return, so another
 * worker takes its place, for POOL_REPLACED_MAX jobs at most.
 */
void pool_drop(pool *workers, pool_job *job);

#endif
