/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_work.c - jobs on other threads than the background's, which says when one is due, and the
 * descriptor that tells them to stop.
 *
 * Jobs that may block have few workers, which decisions do not use: a slow server of one entry
 * must not keep a decision's blocking identifiers from a thread.  Jobs that run as long as their
 * instance lives have a thread each: four of them would occupy all workers.
 */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "background.h"
#include "base/thread.h"

/* Enough that one slow server does not hold up all others; each may hold a list in memory. */
#define WORKERS_MAX 4

/* When to try again if no thread can be had. */
#define RETRY ((int64_t)1000000000)

bool
work_must_wait(const background *back, const timer *item)
{
	if (item->thread == JOB_BACKGROUND)
		return false;
	return atomic_load(&back->ending) ||
	       (item->thread == JOB_WORKER && (item->host->working || back->working >= WORKERS_MAX));
}

/* The host may be gone once the lock is let go of, but not the background. */
static void
run_work(void *data)
{
	timer *due = data;
	limen_host *host = due->host;
	background *back = host->back;

	due->job(due->data);
	pthread_mutex_lock(&back->lock);
	if (due->thread == JOB_WORKER) {
		host->working = false;
		back->working--;
	}
	host->elsewhere--;
	back->elsewhere--;
	pthread_cond_broadcast(&back->progress);
	background_wake(back);
	pthread_mutex_unlock(&back->lock);
}

/* Is a job waiting because no thread could be started? */
static bool
is_short(const background *back)
{
	const timer *item = back->timers;

	while (item != NULL && !item->retried)
		item = item->next;
	return item != NULL;
}

/* A log may call into the engine, so the lock is not held. */
static void
report(background *back, limen_host *host, const char *text)
{
	background_begin(back, host);
	limen_host_log(host, LIMEN_LOG_WARNING, "%s", text);
	pthread_mutex_lock(&back->lock);
	background_end(back);
}

void
work_start(background *back, timer *due)
{
	limen_host *host = due->host;
	bool blocks = due->thread == JOB_WORKER;
	bool retried = due->retried;
	bool changes = !is_short(back);

	if (!pool_start(blocks ? back->workers : back->owned,
	                blocks ? WORKERS_MAX : POOL_UNLIMITED, run_work, free, due)) {
		due->due = limen_host_monotonic() + RETRY;
		due->retried = true;
		timer_insert(back, due);
		if (changes && !retried)
			report(back, host, "no thread could be started for a job: "
			                   "trying again each second");
		return;
	}
	if (blocks) {
		host->working = true;
		back->working++;
	}
	host->elsewhere++;
	back->elsewhere++;
	if (changes && retried)
		report(back, host, "threads can be started again: no job waits for one");
}

void
work_wait(limen_host *host)
{
	while (host->elsewhere > 0)
		pthread_cond_wait(&host->back->progress, &host->back->lock);
}

void
background_wind_down(background *back)
{
	atomic_store(&back->ending, true);
}

bool
background_wait_idle(background *back, int64_t deadline)
{
	bool idle;

	pthread_mutex_lock(&back->lock);
	do
		idle = back->elsewhere == 0 && back->running == NULL;
	while (!idle && thread_wait(&back->progress, &back->lock, deadline));
	pthread_mutex_unlock(&back->lock);
	return idle;
}

bool
limen_host_stopping(const limen_host *host)
{
	return host != NULL && (atomic_load(&host->closing) || atomic_load(&host->back->ending));
}

void
work_tell(const limen_host *host)
{
	uint64_t item = 1;

	/* A full counter, the only failure there is, can be read as well. */
	if (host->stop_fd >= 0)
		(void)!write(host->stop_fd, &item, sizeof(item));
}

int
limen_host_stopping_fd(limen_host *host)
{
	int fd;

	if (host == NULL)
		return -1;
	pthread_mutex_lock(&host->back->lock);
	if (host->stop_fd < 0) {
		host->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (host->closing)
			work_tell(host);
	}
	fd = host->stop_fd;
	pthread_mutex_unlock(&host->back->lock);
	return fd;
}
