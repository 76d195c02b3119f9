/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_ready.c - counts the instances that have not yet tried to get their data,
 * such as a download, and waits for them.
 */
#include <errno.h>
#include <time.h>

#include "background.h"

void
ready_enter(limen_host *host)
{
	if (host->unready && !host->closing)
		host->back->unready++;
}

void
ready_leave(limen_host *host)
{
	if (!host->unready || !host->active)
		return;
	host->back->unready--;
	pthread_cond_broadcast(&host->back->progress);
}

void
limen_host_set_ready(limen_host *host, bool ready)
{
	background *back = host->back;

	pthread_mutex_lock(&back->lock);
	if (host->unready == ready) {
		if (!host->closing && ready)
			ready_leave(host);
		host->unready = !ready;
		if (host->active && !ready)
			ready_enter(host);
	}
	pthread_mutex_unlock(&back->lock);
}

static struct timespec
end_of(limen_duration timeout)
{
	int64_t nanoseconds;
	int64_t end;

	if (timeout < 0)
		timeout = 0;
	if (__builtin_mul_overflow(timeout, 1000, &nanoseconds) ||
	    __builtin_add_overflow(limen_host_monotonic(), nanoseconds, &end))
		end = INT64_MAX;
	return (struct timespec){
		.tv_sec = (time_t)(end / 1000000000),
		.tv_nsec = (long)(end % 1000000000),
	};
}

bool
background_wait_ready(background *back, limen_duration timeout)
{
	struct timespec until = end_of(timeout);
	bool waiting = !back->services->passive;
	bool ready;

	pthread_mutex_lock(&back->lock);
	while (back->unready > 0 && waiting)
		waiting = pthread_cond_timedwait(&back->progress, &back->lock, &until) == 0;
	ready = back->unready == 0 || back->services->passive;
	pthread_mutex_unlock(&back->lock);
	return ready;
}
