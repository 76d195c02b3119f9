/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_work.c - jobs that may block.  The background thread says when one is
 * due; a worker runs it.
 *
 * They have a pool of their own, so that a slow server of one entry can never
 * keep a decision's blocking identifiers from a thread.
 */
#include <stdlib.h>

#include "background.h"

/* Enough that one slow server does not hold up all others; each may hold a list in memory. */
#define WORKERS_MAX 4

/* When to try again if no thread can be had. */
#define RETRY ((int64_t)1000000000)

bool
work_must_wait(const background *back, const timer *one)
{
	return one->host->working || back->working >= WORKERS_MAX ||
	       atomic_load(&back->ending);
}

/* The host may be gone once the lock is let go of, but not the background. */
static void
run_work(void *data)
{
	timer *due = data;
	background *back = due->host->back;

	due->job(due->data);
	pthread_mutex_lock(&back->lock);
	due->host->working = false;
	back->working--;
	pthread_cond_broadcast(&back->progress);
	background_wake(back);
	pthread_mutex_unlock(&back->lock);
}

void
work_start(background *back, timer *due)
{
	if (!pool_start(back->workers, WORKERS_MAX, run_work, free, due)) {
		due->due = limen_host_monotonic() + RETRY;
		timer_insert(back, due);
		return;
	}
	due->host->working = true;
	back->working++;
}

void
work_wait(limen_host *host)
{
	while (host->working)
		pthread_cond_wait(&host->back->progress, &host->back->lock);
}

void
background_wind_down(background *back)
{
	atomic_store(&back->ending, true);
}

bool
limen_host_stopping(const limen_host *host)
{
	return atomic_load(&host->closing) || atomic_load(&host->back->ending);
}
