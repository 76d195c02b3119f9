/* SPDX-License-Identifier: Apache-2.0 */
/* node.c - makes connections to one Redis with growing retry delays, and logs losses and returns. */
#include "modes.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Milliseconds from one failed attempt to the next: doubled each time. */
#define DELAY_LEAST 100
#define DELAY_DOUBLINGS 4

/* Interval at which a wait checks whether the instance is closing, without a descriptor. */
#define SLICE_MS 1000

/* Interval at which the log repeats that memory is full. */
#define FULL_LOGGED (60 * INT64_C(1000000000))

/* A connection that ends earlier has come to nothing.  Redis' own 'timeout' is longer. */
#define LASTING INT64_C(1000000000)

bool
node_open(node *self, nodes *all, const location *where)
{
	pthread_condattr_t attributes;

	*self = (node){ .host = all->host,
		        .options = all->options,
		        .where = *where,
		        .all = all,
		        .used = true,
		        .lasts = all->options->lease_time * 1000 };
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&self->freed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&self->lock, NULL);
	self->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return self->wake >= 0;
}

void
node_close(node *self)
{
	strict_close_idle(self);
	if (self->wake >= 0)
		close(self->wake);
	pthread_cond_destroy(&self->freed);
	pthread_mutex_destroy(&self->lock);
}

bool
node_wait(const node *self, int fd, short events, int milliseconds)
{
	int stopping = limen_host_stopping_fd(self->host);
	struct pollfd ready[] = {
		{ .fd = stopping, .events = POLLIN },
		{ .fd = self->wake, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	uint64_t ignored;

	if (stopping < 0 && (milliseconds < 0 || milliseconds > SLICE_MS))
		milliseconds = SLICE_MS;
	if (poll(ready, 3, milliseconds) <= 0)
		return false;
	if (ready[1].revents != 0)
		(void)!read(self->wake, &ignored, sizeof(ignored));
	return ready[2].revents != 0;
}

void
node_wake(const node *self)
{
	uint64_t count = 1;

	/* It can fail only if the counter is full, which also wakes the thread. */
	(void)!write(self->wake, &count, sizeof(count));
}

static void
lose(node *self, const char *why, bool doubtful)
{
	bool first;

	pthread_mutex_lock(&self->lock);
	first = self->error[0] == '\0';
	if (doubtful)
		atomic_store(&self->doubted, true);
	snprintf(self->error, sizeof(self->error), "%s", why);
	pthread_mutex_unlock(&self->lock);
	if (!first)
		return;
	limen_host_counter_add(self->host, "losses", 1);
	limen_host_log(self->host, LIMEN_LOG_WARNING, "Redis is unavailable: %s: "
	                                              "%s", self->where.shown,
	               why);
}

bool
node_lost(node *self, const wire *failed, bool in_flight)
{
	bool lasted = limen_host_monotonic() - failed->made >= LASTING;
	bool quiet = lasted && !in_flight && !failed->unsound;
	bool good = quiet || (lasted && failed->wrote);

	pthread_mutex_lock(&self->lock);
	self->waits = !good;
	if (good)
		self->attempts = 0;
	pthread_mutex_unlock(&self->lock);
	if (quiet)
		return false;
	atomic_store(&self->touches_at, 0);
	lose(self, failed->error, failed->unsound || !good);
	return true;
}

/* Ends a loss; after a doubtful one only if Redis has written something ('proven'). */
static void
come_back(node *self, bool proven)
{
	bool back;

	pthread_mutex_lock(&self->lock);
	back = self->error[0] != '\0' && (proven || !atomic_load(&self->doubted));
	if (back) {
		self->error[0] = '\0';
		atomic_store(&self->doubted, false);
	}
	pthread_mutex_unlock(&self->lock);
	if (back)
		limen_host_log(self->host, LIMEN_LOG_INFO, "Redis is available again: %s",
		               self->where.shown);
}

void
node_wrote(node *self, wire *by)
{
	by->wrote = true;
	/* This runs for every grant, so it takes no lock. */
	if (atomic_load_explicit(&self->doubted, memory_order_relaxed))
		come_back(self, true);
}

/* Returns the delay before the next attempt, in milliseconds. */
static int
next_delay(node *self)
{
	int delay = 0;

	pthread_mutex_lock(&self->lock);
	if (self->waits) {
		delay = DELAY_LEAST << self->attempts;
		self->attempts += self->attempts < DELAY_DOUBLINGS;
	}
	self->waits = false;
	pthread_mutex_unlock(&self->lock);
	return delay;
}

wire *
node_connect(node *self)
{
	int64_t until = limen_host_monotonic() + next_delay(self) * INT64_C(1000000);
	wire_fault why;
	wire *connection;
	bool gone;

	/* Takes may wake it meanwhile. */
	for (int64_t left; (left = until - limen_host_monotonic()) > 0;) {
		if (limen_host_stopping(self->host) || !atomic_load(&self->used))
			return NULL;
		node_wait(self, -1, 0, (int)(left / 1000000) + 1);
	}
	if (limen_host_stopping(self->host))
		return NULL;
	connection = wire_open(&self->where,
	                       limen_host_monotonic() + self->options->connect_timeout * 1000,
	                       self->host, &why);
	if (connection == NULL && limen_host_stopping(self->host))
		return NULL;
	if (connection == NULL) {
		pthread_mutex_lock(&self->lock);
		self->waits = true;
		gone = self->up == 0;
		pthread_mutex_unlock(&self->lock);
		lose(self, why.text, false);
		if (gone)
			nodes_note_run(self, "");
		nodes_refresh(self->all);
		return NULL;
	}
	nodes_note_run(self, connection->run);
	nodes_touch(self, connection);
	come_back(self, false);
	/* A bucket that Redis evicts counts as full. */
	if (strcmp(connection->policy, "noeviction") != 0 && !self->evicts_noted)
		limen_host_log(self->host, LIMEN_LOG_WARNING,
		               "Redis may evict buckets when its memory is full: its "
		               "maxmemory-policy is %s and should be noeviction",
		               connection->policy);
	self->evicts_noted = true;
	return connection;
}

void
node_full(node *self)
{
	int64_t now = limen_host_monotonic();
	bool logs;

	pthread_mutex_lock(&self->lock);
	logs = self->full_logged == 0 || now - self->full_logged >= FULL_LOGGED;
	if (logs)
		self->full_logged = now;
	pthread_mutex_unlock(&self->lock);
	if (logs)
		limen_host_log(self->host, LIMEN_LOG_WARNING,
		               "Redis is full: %s: its memory has reached maxmemory, so what it "
		               "cannot count is refused; raise maxmemory",
		               self->where.shown);
}
