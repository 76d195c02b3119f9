/* SPDX-License-Identifier: Apache-2.0 */
/*
 * background.c - the thread that runs the jobs of all hosts, one at a time.
 *
 * It sleeps in poll() until a descriptor is ready, the next timer or path check is
 * due, or another thread announces new work through the eventfd.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "background.h"
#include "base/thread.h"

/* Positions in 'polled'. */
enum {
	POLL_WAKE,
	POLL_DIRS,
	POLL_FIXED
};

/* How soon to try again when memory was too short to poll every descriptor. */
#define RETRY_MS 1000

background *
background_new(const host_services *services)
{
	background *back = calloc(1, sizeof(*back));

	if (back == NULL)
		return NULL;
	back->services = services;
	back->wake = -1;
	pthread_mutex_init(&back->log_lock, NULL);
	pthread_mutex_init(&back->lock, NULL);
	thread_condition(&back->progress);
	watched_dirs_init(&back->dirs);
	back->workers = pool_new();
	back->owned = pool_new();
	if (back->workers != NULL && back->owned != NULL)
		return back;
	background_free(back);
	return NULL;
}

void
background_wake(background *back)
{
	uint64_t item = 1;

	/* A full counter, the only failure there is, wakes as well. */
	if (back->polling)
		(void)!write(back->wake, &item, sizeof(item));
}

void
background_free(background *back)
{
	if (back == NULL)
		return;
	pthread_mutex_lock(&back->lock);
	back->stopping = true;
	background_wake(back);
	pthread_mutex_unlock(&back->lock);
	if (back->started)
		pthread_join(back->thread, NULL);
	pool_free(back->workers, INT64_MAX);
	pool_free(back->owned, INT64_MAX);
	if (back->wake >= 0)
		close(back->wake);
	free(back->polled);
	free(back->polled_watches);
	watched_dirs_finish(&back->dirs);
	pthread_cond_destroy(&back->progress);
	pthread_mutex_destroy(&back->lock);
	pthread_mutex_destroy(&back->log_lock);
	free(back);
}

bool
background_is_here(const background *back)
{
	return back->started && pthread_equal(back->thread, pthread_self());
}

void
background_leave_poll(background *back)
{
	uint64_t round = back->rounds;

	background_wake(back);
	while (back->polling && back->rounds == round)
		pthread_cond_wait(&back->progress, &back->lock);
}

void
background_begin(background *back, limen_host *host)
{
	back->running = host;
	pthread_mutex_unlock(&back->lock);
}

void
background_end(background *back)
{
	limen_host *host = back->running;

	back->running = NULL;
	if (host->ended)
		host_finish(host);
	pthread_cond_broadcast(&back->progress);
}

static void
run_job(background *back, limen_host *host, limen_job job, void *data)
{
	background_begin(back, host);
	job(data);
	pthread_mutex_lock(&back->lock);
	background_end(back);
}

void
background_take(background *back, limen_host *host)
{
	timer_drop(back, host);
	fd_watch_take(back, host);
	path_watch_take(back, host);
	for (size_t i = POLL_FIXED; i < back->polled_count; i++) {
		fd_watch *watch = back->polled_watches[i];

		if (watch != NULL && watch->host == host)
			back->polled_watches[i] = NULL;
	}
}

/* ---- timers ---- */

static bool
can_run(const background *back, const timer *item)
{
	return item->host->active && !work_must_wait(back, item);
}

static timer **
find_due(background *back, int64_t now, uint64_t orders)
{
	for (timer **link = &back->timers; *link != NULL && (*link)->due <= now;
	     link = &(*link)->next)
		if (can_run(back, *link) && (*link)->order < orders)
			return link;
	return NULL;
}

/* Takes 'due' over, which is in no list any more. */
static void
run_timer(background *back, timer *due)
{
	timer item = *due;

	if (item.thread != JOB_BACKGROUND) {
		work_start(back, due);
		return;
	}
	back->spare = due;
	run_job(back, item.host, item.job, item.data);
	free(back->spare);
	back->spare = NULL;
}

/* Timers that jobs add meanwhile wait for the next round, even if due at once. */
static void
run_timers(background *back)
{
	int64_t now = limen_host_monotonic();
	uint64_t orders = back->orders;
	timer **link = find_due(back, now, orders);

	while (link != NULL && !back->stopping) {
		timer *due = *link;

		*link = due->next;
		run_timer(back, due);
		link = find_due(back, now, orders);
	}
}

static int64_t
next_timer(const background *back)
{
	for (const timer *item = back->timers; item != NULL; item = item->next)
		if (can_run(back, item))
			return item->due;
	return INT64_MAX;
}

/* ---- descriptors ---- */

/* Makes room for 'wanted' entries; keeps the old room if that fails. */
static void
reserve_polled(background *back, size_t wanted)
{
	struct pollfd *polled;
	fd_watch **watches;

	if (wanted <= back->polled_capacity)
		return;
	wanted += wanted / 2;
	polled = realloc(back->polled, wanted * sizeof(*polled));
	if (polled == NULL)
		return;
	back->polled = polled;
	watches = realloc(back->polled_watches, wanted * sizeof(fd_watch *));
	if (watches == NULL)
		return;
	back->polled_watches = watches;
	back->polled_capacity = wanted;
}

/* Returns whether there was room for every descriptor. */
static bool
fill_polled(background *back)
{
	size_t wanted = POLL_FIXED;
	size_t count = POLL_FIXED;

	for (const fd_watch *watched = back->fds; watched != NULL; watched = watched->next)
		wanted++;
	reserve_polled(back, wanted);
	back->polled[POLL_WAKE] = (struct pollfd){ .fd = back->wake, .events = POLLIN };
	back->polled[POLL_DIRS] =
		(struct pollfd){ .fd = watched_dirs_fd(&back->dirs), .events = POLLIN };
	for (fd_watch *watched = back->fds; watched != NULL && count < back->polled_capacity;
	     watched = watched->next) {
		if (!watched->host->active || watched->over)
			continue;
		back->polled[count] = (struct pollfd){ .fd = watched->fd, .events = POLLIN };
		back->polled_watches[count++] = watched;
	}
	back->polled_count = count;
	return wanted <= back->polled_capacity;
}

/*
 * A descriptor that was hung up stays ready for ever, so it is not polled again once
 * it has been read to its end.
 */
static bool
is_over(const struct pollfd *ready)
{
	int left = 0;

	if (ready->revents & POLLNVAL)
		return true;
	return (ready->revents & POLLHUP) && (ioctl(ready->fd, FIONREAD, &left) != 0 || left == 0);
}

static void
run_ready(background *back)
{
	for (size_t i = POLL_FIXED; i < back->polled_count && !back->stopping; i++) {
		fd_watch *watch = back->polled_watches[i];

		if (watch == NULL || back->polled[i].revents == 0)
			continue;
		watch->over = is_over(&back->polled[i]);
		run_job(back, watch->host, watch->job, watch->data);
	}
	back->polled_count = POLL_FIXED;
}

/* ---- the thread ---- */

/* Milliseconds, rounded up so as not to wake before the time. */
static int
timeout_until(int64_t due)
{
	int64_t left;

	if (due == INT64_MAX)
		return -1;
	left = due - limen_host_monotonic();
	if (left <= 0)
		return 0;
	if (left > INT64_C(3600) * 1000000000)
		return 3600 * 1000;
	return (int)((left + 999999) / 1000000);
}

/* If poll() lacks memory or refuses that many descriptors, only 'wake' is polled. */
static void
poll_all(background *back, int timeout)
{
	if (poll(back->polled, back->polled_count, timeout) >= 0)
		return;
	for (size_t i = 0; i < back->polled_count; i++)
		back->polled[i].revents = 0;
	if (errno != EINTR)
		poll(back->polled, 1, timeout >= 0 && timeout < RETRY_MS ? timeout : RETRY_MS);
}

static void
wait_for_work(background *back)
{
	int64_t due = next_timer(back);
	int64_t paths = path_watch_due(back);
	uint64_t ignored;

	if (paths < due)
		due = paths;
	if (!fill_polled(back)) {
		int64_t retry = limen_host_monotonic() + RETRY_MS * INT64_C(1000000);

		due = retry < due ? retry : due;
	}
	back->polling = true;
	back->rounds++;
	pthread_mutex_unlock(&back->lock);
	poll_all(back, timeout_until(due));
	pthread_mutex_lock(&back->lock);
	back->polling = false;
	pthread_cond_broadcast(&back->progress);
	if (back->polled[POLL_WAKE].revents != 0)
		(void)!read(back->wake, &ignored, sizeof(ignored));
}

static void *
work(void *data)
{
	background *back = data;

	pthread_setname_np(pthread_self(), "limen-host");
	pthread_mutex_lock(&back->lock);
	while (!back->stopping) {
		wait_for_work(back);
		run_ready(back);
		if (back->polled[POLL_DIRS].revents != 0)
			path_watch_read(back);
		run_timers(back);
		path_watch_run(back);
	}
	pthread_mutex_unlock(&back->lock);
	return NULL;
}

bool
background_ready(background *back)
{
	background_wake(back);
	if (back->started)
		return true;
	/* From here on there is room for 'wake' at least. */
	reserve_polled(back, 8);
	if (back->polled_capacity == 0)
		return false;
	if (back->wake < 0)
		back->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (back->wake < 0)
		return false;
	back->started = thread_start(&back->thread, work, back) == 0;
	return back->started;
}
