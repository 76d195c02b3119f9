/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_jobs.c - takes jobs of modules that run after a delay, or when a descriptor can be read.
 * path_watch.c does so when a path changes.
 */
#include <stdlib.h>
#include <unistd.h>

#include "background.h"
#include "base/clock.h"

/* ---- timers ---- */

void
timer_insert(background *back, timer *item)
{
	timer **link = &back->timers;

	item->order = back->orders++;
	while (*link != NULL && (*link)->due <= item->due)
		link = &(*link)->next;
	item->next = *link;
	*link = item;
}

/* The lock is held. */
static timer *
new_timer(background *back)
{
	timer *item = background_is_here(back) ? back->spare : NULL;

	if (item == NULL)
		return malloc(sizeof(*item));
	back->spare = NULL;
	return item;
}

static int
request_timer(limen_host *host, job_thread thread, limen_duration delay, limen_job job, void *data)
{
	background *back;
	timer *item;
	host_offer offer;

	if (host == NULL || job == NULL)
		return LIMEN_EINVAL;
	back = host->back;
	pthread_mutex_lock(&back->lock);
	item = new_timer(back);
	offer = item == NULL ? OFFER_FAILED : host_offer_work(host);
	if (offer == OFFER_TAKEN) {
		*item = (timer){
			.host = host,
			.job = job,
			.data = data,
			.due = clock_deadline(delay),
			.thread = thread,
		};
		timer_insert(back, item);
	} else {
		free(item);
	}
	pthread_mutex_unlock(&back->lock);
	return offer == OFFER_FAILED ? LIMEN_ENOMEM : LIMEN_OK;
}

int
limen_host_after(limen_host *host, limen_duration delay, limen_job job, void *data)
{
	return request_timer(host, JOB_BACKGROUND, delay, job, data);
}

int
limen_host_after_blocking(limen_host *host, limen_duration delay, limen_job job, void *data)
{
	return request_timer(host, JOB_WORKER, delay, job, data);
}

int
limen_host_run(limen_host *host, limen_job job, void *data)
{
	return request_timer(host, JOB_OWN, 0, job, data);
}

void
timer_drop(background *back, const limen_host *host)
{
	timer **link = &back->timers;

	while (*link != NULL) {
		timer *item = *link;

		if (item->host != host) {
			link = &item->next;
			continue;
		}
		*link = item->next;
		free(item);
	}
}

/* ---- descriptors ---- */

int
limen_host_watch_fd(limen_host *host, int fd, limen_job job, void *data)
{
	background *back = host == NULL ? NULL : host->back;
	fd_watch *made;
	fd_watch **link;
	host_offer offer;

	if (back == NULL || job == NULL || fd < 0)
		return LIMEN_EINVAL;
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		close(fd);
		return LIMEN_ENOMEM;
	}
	*made = (fd_watch){ .host = host, .job = job, .data = data, .fd = fd };
	pthread_mutex_lock(&back->lock);
	offer = host_offer_work(host);
	link = offer == OFFER_TAKEN ? &back->fds : &host->fds;
	while (*link != NULL)
		link = &(*link)->next;
	*link = made;
	pthread_mutex_unlock(&back->lock);
	return offer == OFFER_FAILED ? LIMEN_ENOMEM : LIMEN_OK;
}

void
fd_watch_take(background *back, limen_host *host)
{
	fd_watch **link = &back->fds;

	while (*link != NULL) {
		fd_watch *watched = *link;

		if (watched->host != host) {
			link = &watched->next;
			continue;
		}
		*link = watched->next;
		watched->next = host->fds;
		host->fds = watched;
	}
}

void
fd_watch_free(fd_watch *list)
{
	while (list != NULL) {
		fd_watch *next = list->next;

		close(list->fd);
		free(list);
		list = next;
	}
}
