/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - connections, how long to wait before the next attempt, and what the log says. */
#include "reach.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds from one failed attempt to the next: doubled each time. */
#define DELAY_LEAST 100
#define DELAY_DOUBLINGS 5

/* How often a wait looks whether the instance is closing, if no descriptor tells. */
#define SLICE_MS 1000

/* A connection that ends earlier has come to nothing.  Redis' own 'timeout' is longer. */
#define LASTING INT64_C(1000000000)

void
reach_open(reach *one, limen_host *host, const place *where, const settings *asked)
{
	*one = (reach){ .host = host, .where = where, .asked = asked };
	pthread_mutex_init(&one->lock, NULL);
}

void
reach_close(reach *one)
{
	pthread_mutex_destroy(&one->lock);
}

bool
reach_wait(const reach *one, int wake, int fd, short events, int milliseconds)
{
	int stopping = limen_host_stopping_fd(one->host);
	struct pollfd ready[] = {
		{ .fd = stopping, .events = POLLIN },
		{ .fd = wake, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	uint64_t ignored;

	if (stopping < 0 && (milliseconds < 0 || milliseconds > SLICE_MS))
		milliseconds = SLICE_MS;
	if (poll(ready, 3, milliseconds) <= 0)
		return false;
	if (ready[1].revents != 0)
		(void)!read(wake, &ignored, sizeof(ignored));
	return ready[2].revents != 0;
}

static void
lose(reach *one, const char *why, bool doubtful)
{
	bool first;

	pthread_mutex_lock(&one->lock);
	first = one->error[0] == '\0';
	if (doubtful)
		atomic_store(&one->doubted, true);
	snprintf(one->error, sizeof(one->error), "%s", why);
	pthread_mutex_unlock(&one->lock);
	if (!first)
		return;
	limen_host_count(one->host, "losses", 1);
	limen_host_log(one->host, LIMEN_LOG_WARNING, "Redis is away: %s: %s", one->where->shown,
	               why);
}

bool
reach_lost(reach *one, const wire *failed, bool asked)
{
	bool lasted = limen_host_monotonic() - failed->made >= LASTING;
	bool quiet = lasted && !asked && !failed->unsound;
	bool good = quiet || (lasted && failed->wrote);

	pthread_mutex_lock(&one->lock);
	one->waits = !good;
	if (good)
		one->attempts = 0;
	pthread_mutex_unlock(&one->lock);
	if (!quiet)
		lose(one, failed->error, failed->unsound || !good);
	return !quiet;
}

/* Ends a loss, unless Redis is still to prove that it is back. */
static void
come_back(reach *one, bool proven)
{
	bool back;

	pthread_mutex_lock(&one->lock);
	back = one->error[0] != '\0' && (proven || !atomic_load(&one->doubted));
	if (back) {
		one->error[0] = '\0';
		atomic_store(&one->doubted, false);
	}
	pthread_mutex_unlock(&one->lock);
	if (back)
		limen_host_log(one->host, LIMEN_LOG_INFO, "Redis is there again: %s",
		               one->where->shown);
}

void
reach_wrote(reach *one, wire *by)
{
	by->wrote = true;
	/* Every grant comes by here. */
	if (atomic_load_explicit(&one->doubted, memory_order_relaxed))
		come_back(one, true);
}

/* How long to wait before the next attempt, in milliseconds. */
static int
next_delay(reach *one)
{
	int delay = 0;

	pthread_mutex_lock(&one->lock);
	if (one->waits) {
		delay = DELAY_LEAST << one->attempts;
		one->attempts += one->attempts < DELAY_DOUBLINGS;
	}
	one->waits = false;
	pthread_mutex_unlock(&one->lock);
	return delay;
}

wire *
reach_connect(reach *one)
{
	char why[160];
	wire *made;

	reach_wait(one, -1, -1, 0, next_delay(one));
	if (limen_host_stopping(one->host))
		return NULL;
	made = wire_open(one->where, limen_host_monotonic() + one->asked->connect_timeout * 1000,
	                 one->host, why, sizeof(why));
	if (made == NULL && limen_host_stopping(one->host))
		return NULL;
	if (made == NULL) {
		pthread_mutex_lock(&one->lock);
		one->waits = true;
		pthread_mutex_unlock(&one->lock);
		lose(one, why, false);
		return NULL;
	}
	come_back(one, false);
	/* A bucket that is thrown out is taken for a full one. */
	if (strcmp(made->policy, "noeviction") != 0 && !one->evicts_noted)
		limen_host_log(one->host, LIMEN_LOG_WARNING,
		               "Redis may throw out buckets when its memory is full: its "
		               "maxmemory-policy is %s and should be noeviction", made->policy);
	one->evicts_noted = true;
	return made;
}

bool
reach_error(reach *one, char *out, size_t size)
{
	pthread_mutex_lock(&one->lock);
	snprintf(out, size, "%s", one->error);
	pthread_mutex_unlock(&one->lock);
	return out[0] != '\0';
}
