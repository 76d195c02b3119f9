/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_ready.c - counts the instances that have not yet tried to get their data,
 * such as a download, and waits for them.
 */
#include "background.h"
#include "base/clock.h"
#include "base/thread.h"

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
	background *back = host == NULL ? NULL : host->back;

	if (back == NULL)
		return;
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

bool
background_wait_ready(background *back, limen_duration timeout)
{
	int64_t deadline = clock_deadline(timeout);
	bool waiting = !back->services->passive;
	bool ready;

	pthread_mutex_lock(&back->lock);
	while (back->unready > 0 && waiting)
		waiting = thread_wait(&back->progress, &back->lock, deadline);
	ready = back->unready == 0 || back->services->passive;
	pthread_mutex_unlock(&back->lock);
	return ready;
}
