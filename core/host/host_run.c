/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_run.c - jobs that run as long as their instance lives, each on its own thread,
 * and the descriptor that tells them to stop.
 *
 * The worker pool does not run them: four connections that are never closed would
 * occupy all of its threads.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "background.h"
#include "base/thread.h"

/* How soon to try again if no thread can be had. */
#define RETRY LIMEN_SECOND

struct host_run {
	struct host_run *next;
	limen_job job;
	void *data;
	pthread_t thread;
	bool started;
};

static void *
run(void *data)
{
	struct host_run *one = data;

	pthread_setname_np(pthread_self(), "limen-run");
	one->job(one->data);
	return NULL;
}

static void
start_again(void *data)
{
	limen_host *host = data;

	pthread_mutex_lock(&host->back->lock);
	if (!host->closing)
		run_start(host);
	pthread_mutex_unlock(&host->back->lock);
}

/* Called without the lock, because limen_host_after() takes it. */
static void
retry(limen_host *host)
{
	limen_host_log(host, LIMEN_LOG_WARNING,
	               "no thread could be started for a job: trying again in a second");
	if (limen_host_after(host, RETRY, start_again, host) != LIMEN_OK)
		limen_host_log(host, LIMEN_LOG_ERROR, "memory is short: the job does not run");
}

void
run_start(limen_host *host)
{
	bool failed = false;

	for (struct host_run *one = host->runs; one != NULL; one = one->next) {
		if (one->started)
			continue;
		one->started = thread_start(&one->thread, run, one) == 0;
		failed = failed || !one->started;
	}
	if (!failed)
		return;
	pthread_mutex_unlock(&host->back->lock);
	retry(host);
	pthread_mutex_lock(&host->back->lock);
}

/* Joins the threads of jobs that returned by themselves, too. */
void
run_wait(limen_host *host)
{
	while (host->runs != NULL) {
		struct host_run *one = host->runs;

		host->runs = one->next;
		pthread_mutex_unlock(&host->back->lock);
		if (one->started)
			pthread_join(one->thread, NULL);
		free(one);
		pthread_mutex_lock(&host->back->lock);
	}
}

int
limen_host_run(limen_host *host, limen_job job, void *data)
{
	background *back = host->back;
	struct host_run *made = calloc(1, sizeof(*made));
	bool taken;

	if (made == NULL)
		return LIMEN_ENOMEM;
	made->job = job;
	made->data = data;
	pthread_mutex_lock(&back->lock);
	taken = !host->closing && !back->services->passive;
	if (taken) {
		made->next = host->runs;
		host->runs = made;
	}
	if (taken && host->active)
		run_start(host);
	pthread_mutex_unlock(&back->lock);
	if (!taken)
		free(made);
	return LIMEN_OK;
}

/* ---- the descriptor ---- */

void
run_tell(const limen_host *host)
{
	uint64_t one = 1;

	/* A full counter, the only failure there is, can be read as well. */
	if (host->stop_fd >= 0)
		(void)!write(host->stop_fd, &one, sizeof(one));
}

int
limen_host_stopping_fd(limen_host *host)
{
	int fd;

	pthread_mutex_lock(&host->back->lock);
	if (host->stop_fd < 0) {
		host->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (host->closing)
			run_tell(host);
	}
	fd = host->stop_fd;
	pthread_mutex_unlock(&host->back->lock);
	return fd;
}
