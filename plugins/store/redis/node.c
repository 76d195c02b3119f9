/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node.c - the masters that count: makes connections to each with growing retry delays, logs losses
 * and returns, and knows who has which tag.  A Redis that is no cluster is the only one.
 */
#include "modes.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/param.h>
#include <unistd.h>

#define DELAY_LEAST 100   /* milliseconds from one failed attempt to the next */
#define DELAY_DOUBLINGS 4 /* of it, once each time */
#define SLICE_MS 1000     /* interval at which a wait without a descriptor looks for the end */
#define TOUCH_MS 60000    /* how often marks are renewed */
#define RETRY_MS 1000     /* and when that is tried again if it fails */
#define TOUCH_SHARE 10    /* all marks of a node may take so many times 'connect-timeout' */

/* A connection that ends earlier has come to nothing.  Redis' own 'timeout' is longer. */
#define LASTING INT64_C(1000000000)
#define AGAIN "Redis is available again: "
#define FULL_LOGGED (60 * LASTING) /* interval at which the log repeats that there is no room */

static bool
is_cluster(const nodes *all)
{
	return all->options->cluster.count > 0;
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
	limen_host_log(self->host, LIMEN_LOG_WARNING, "Redis is unavailable: %s: %s", self->shown, why);
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
	if (quiet || limen_host_stopping(self->host))
		return false;
	atomic_store(&self->touches_at, 0);
	lose(self, failed->error, failed->unsound || !good);
	return true;
}

/* Ends a loss and logs 'text'; a doubtful one only if Redis has written something ('proven'). */
static void
end_loss(node *self, bool proven, const char *text)
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
		limen_host_log(self->host, LIMEN_LOG_INFO, "%s%s", text, self->shown);
}

void
node_wrote(node *self, wire *by)
{
	by->wrote = true;
	/* This runs for every grant, so it takes no lock. */
	if (atomic_load_explicit(&self->doubted, memory_order_relaxed))
		end_loss(self, true, AGAIN);
}

bool
log_is_due(_Atomic int64_t *logged)
{
	int64_t now = limen_host_monotonic(), before = atomic_load(logged);

	return (before == 0 || now - before >= FULL_LOGGED) &&
	       atomic_compare_exchange_strong(logged, &before, now);
}

void
node_full(node *self)
{
	if (log_is_due(&self->full_logged))
		limen_host_log(self->host, LIMEN_LOG_WARNING,
		               "Redis is full: %s: its memory has reached maxmemory, so what it "
		               "cannot count is refused; raise maxmemory",
		               self->shown);
}

/* Gives a node the address; takes from a cluster wait for its connections. */
static void
name(node *self, const place *address)
{
	bool named = is_cluster(self->all);

	self->address = *address;
	strcpy(self->shown, self->options->shown);
	if (named)
		snprintf(self->shown, sizeof(self->shown), "%s:%d", address->host, (int)address->port);
	self->parked = false;
	strcpy(self->run, WIRE_RUN_UNKNOWN);
	atomic_store(&self->touches_at, 0);
	pthread_mutex_lock(&self->lock);
	self->waits = false;
	self->attempts = 0;
	self->renewed_by = named ? limen_host_monotonic() + self->options->timeout * 1000 / 2 : 0;
	pthread_mutex_unlock(&self->lock);
}

static void
end(node *self)
{
	strict_close_idle(self);
	if (self->wake >= 0)
		close(self->wake);
	pthread_cond_destroy(&self->freed);
	pthread_mutex_destroy(&self->lock);
	free(self);
}

/* Adds a node at 'address'; false if memory or descriptors are short. */
static bool
start(nodes *all, const place *address)
{
	size_t count = atomic_load(&all->count);
	node *self = count < NODES_MAX ? calloc(1, sizeof(*self)) : NULL;
	pthread_condattr_t attributes;

	if (self == NULL)
		return false;
	self->host = all->host;
	self->options = all->options;
	self->all = all;
	self->used = true;
	self->lasts = all->options->lease_time * 1000;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&self->freed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&self->lock, NULL);
	self->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	name(self, address);
	if (self->wake < 0 || limen_host_run(all->host, all->run, self) != LIMEN_OK) {
		end(self);
		return false;
	}
	all->list[count] = self;
	atomic_store(&all->count, count + 1);
	return true;
}

/* Returns where in the list the node at 'address' is, a new one if need be; NODES_MAX: there is no room. */
static size_t
find(nodes *all, const place *address)
{
	size_t count = atomic_load(&all->count), at, free_at = count;

	for (at = 0; at < count; at++) {
		if (all->list[at]->parked)
			free_at = at;
		else if (place_equal(&all->list[at]->address, address))
			break;
	}
	if (at == count && free_at < count)
		name(all->list[at = free_at], address);
	else if (at == count && !start(all, address))
		return NODES_MAX;
	atomic_store(&all->list[at]->used, true);
	node_wake(all->list[at]);
	return at;
}

static void
apply(nodes *all, const cluster_map *map)
{
	size_t at[NODES_MAX];

	for (size_t i = 0; i < map->count; i++)
		at[i] = find(all, &map->masters[i]);
	for (size_t tag = 0; tag < CALL_TAGS; tag++) {
		size_t to = at[map->owner[tag]];

		if (to == NODES_MAX || atomic_load(&all->owner[tag]) == to)
			continue;
		atomic_store(&all->owner[tag], (unsigned char)to);
		atomic_store(&all->list[to]->touches_at, 0);
	}
	for (size_t i = 0; i < atomic_load(&all->count); i++) {
		bool used = false;

		for (size_t tag = 0; tag < CALL_TAGS && !used; tag++)
			used = atomic_load(&all->owner[tag]) == i;
		atomic_store(&all->list[i]->used, used);
		node_wake(all->list[i]);
	}
}

bool
nodes_open(nodes *all, const cluster_map *map)
{
	pthread_mutex_init(&all->lock, NULL);
	pthread_mutex_lock(&all->lock);
	apply(all, map);
	pthread_mutex_unlock(&all->lock);
	return atomic_load(&all->count) > 0;
}

void
nodes_close(nodes *all)
{
	for (size_t i = 0; i < atomic_load(&all->count); i++)
		end(all->list[i]);
	pthread_mutex_destroy(&all->lock);
}

unsigned
nodes_tag(const nodes *all, const limen_store_take *take)
{
	return is_cluster(all) ? wire_slot(take->key, take->key_length) % CALL_TAGS : 0;
}

node *
nodes_find(nodes *all, unsigned tag)
{
	return all->list[atomic_load(&all->owner[tag])];
}

node *
nodes_follow(nodes *all, const node *from, unsigned tag, const redisReply *reply, bool *asks)
{
	char text[sizeof(((place *)NULL)->host) + 8];
	place there;
	char *colon;
	size_t at = NODES_MAX;

	if (reply == NULL || reply->type != REDIS_REPLY_ERROR || !is_cluster(all))
		return NULL;
	*asks = strncmp(reply->str, "ASK ", 4) == 0;
	if (!*asks && strncmp(reply->str, "MOVED ", 6) != 0)
		return NULL;
	/* The slot comes first. */
	snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1, strrchr(reply->str, ' ') + 1);
	colon = strrchr(text, ':');
	if (colon == NULL)
		return NULL;
	*colon = '\0';
	pthread_mutex_lock(&all->lock);
	if (wire_place(text, colon + 1, from->address.host, &there))
		at = find(all, &there);
	if (at < NODES_MAX && !*asks)
		atomic_store(&all->owner[tag], (unsigned char)at);
	pthread_mutex_unlock(&all->lock);
	return at < NODES_MAX ? all->list[at] : NULL;
}

/* Asks a cluster again who has which slots. */
static void
refresh(nodes *all)
{
	limen_deadline deadline = limen_host_monotonic() + all->options->connect_timeout * 1000;
	place known[NODES_MAX];
	size_t count = 0;
	cluster_map map;
	wire_fault why;

	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < atomic_load(&all->count); i++) {
		if (atomic_load(&all->list[i]->used))
			known[count++] = all->list[i]->address;
	}
	pthread_mutex_unlock(&all->lock);
	if (!wire_find(all->options, known, count, deadline, all->host, &map, &why))
		return;
	pthread_mutex_lock(&all->lock);
	apply(all, &map);
	pthread_mutex_unlock(&all->lock);
}

/*
 * A slot that moved brings the mark of another master, whose state was as good.  The runs of masters
 * that can be reached follow that of the server.
 */
void
nodes_state(nodes *all, wire *to, unsigned tag)
{
	char runs[NODES_MAX * (WIRE_RUN_MAX + 2)] = "";
	size_t length = 0;

	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < atomic_load(&all->count) && atomic_load(&all->count) > 1; i++)
		length += (size_t)snprintf(runs + length, sizeof(runs) - length, " %s", all->list[i]->run);
	pthread_mutex_unlock(&all->lock);
	wire_pair(to, to->run, strlen(to->run), runs, length);
	wire_text(to, call_trust(all->options));
	wire_text(to, all->options->new_database == NEW_IS_FULL && !atomic_load(&all->seen[tag]) ? "1" : "0");
}

int
node_touch_wait(const node *self)
{
	int64_t left = (atomic_load(&self->touches_at) - limen_host_monotonic()) / 1000000;

	if (!is_cluster(self->all))
		return TOUCH_MS;
	return left > RETRY_MS ? (int)left : RETRY_MS;
}

/* Each mark is looked after by a take from no bucket. */
void
node_touch(node *self, wire *by)
{
	nodes *all = self->all;
	int64_t now = limen_host_monotonic();
	limen_deadline all_by = now + TOUCH_SHARE * self->options->connect_timeout * 1000;
	unsigned tags[CALL_TAGS];
	size_t count = 0;
	bool asks;

	if (!is_cluster(all) || now < atomic_load(&self->touches_at))
		return;
	atomic_store(&self->touches_at, now + TOUCH_MS * INT64_C(1000000));
	for (unsigned tag = 0; tag < CALL_TAGS; tag++) {
		if (nodes_find(all, tag) != self)
			continue;
		tags[count++] = tag;
		call_begin(by, self->options, by->sha[SCRIPT_TAKE], tag, 0, 5);
		nodes_state(all, by, tag);
		wire_text(by, "0");
		wire_text(by, "0");
	}
	for (size_t i = 0; i < count && !by->failed; i++) {
		limen_deadline next = limen_host_monotonic() + self->options->timeout * 1000;
		redisReply *reply = wire_wait(by, MIN(next, all_by), self->host);

		if (reply != NULL && reply->type == REDIS_REPLY_ARRAY) {
			atomic_store(&all->seen[tags[i]], true);
		} else if (reply != NULL) {
			/* It has moved, or the cluster or this process is not ready. */
			(void)nodes_follow(all, self, tags[i], reply, &asks);
			atomic_store(&self->touches_at, now + RETRY_MS * INT64_C(1000000));
		}
		freeReplyObject(reply);
	}
}

/* Waits before the next attempt; returns false if there shall be none. */
static bool
wait_for_turn(node *self)
{
	int64_t left, until = limen_host_monotonic();

	pthread_mutex_lock(&self->lock);
	if (self->waits) {
		until += (DELAY_LEAST << self->attempts) * INT64_C(1000000);
		self->attempts += self->attempts < DELAY_DOUBLINGS;
	}
	self->waits = false;
	pthread_mutex_unlock(&self->lock);
	do {
		if (limen_host_stopping(self->host) || !atomic_load(&self->used))
			return false;
		left = until - limen_host_monotonic();
		/* Takes may wake it meanwhile. */
		if (left > 0)
			node_wait(self, -1, 0, (int)(left / 1000000) + 1);
	} while (left > 0);
	return true;
}

wire *
node_connect(node *self)
{
	nodes *all = self->all;
	wire_fault why;
	wire *connection;
	bool gone = false;

	if (!wait_for_turn(self))
		return NULL;
	connection = wire_open(self->options, &self->address,
	                       limen_host_monotonic() + self->options->connect_timeout * 1000,
	                       self->host, &why);
	if (connection == NULL) {
		if (limen_host_stopping(self->host))
			return NULL;
		pthread_mutex_lock(&self->lock);
		self->waits = true;
		gone = self->up == 0;
		pthread_mutex_unlock(&self->lock);
		lose(self, why.text, false);
	}
	pthread_mutex_lock(&all->lock);
	if (connection != NULL || gone)
		strcpy(self->run, connection == NULL ? "" : connection->run);
	pthread_mutex_unlock(&all->lock);
	if (connection == NULL) {
		if (is_cluster(all))
			refresh(all);
		return NULL;
	}
	node_touch(self, connection);
	if (connection->failed) {
		node_lost(self, connection, true);
		wire_close(connection);
		return NULL;
	}
	end_loss(self, false, AGAIN);
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
node_park(node *self)
{
	pthread_mutex_lock(&self->all->lock);
	self->parked = !atomic_load(&self->used);
	if (self->parked) {
		self->run[0] = '\0';
		end_loss(self, true, "Redis has other masters now, without ");
	}
	pthread_mutex_unlock(&self->all->lock);
}

bool
nodes_status(nodes *all, size_t *connections, char *error, size_t size)
{
	bool ready = true;

	*connections = 0;
	error[0] = '\0';
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < atomic_load(&all->count); i++) {
		node *self = all->list[i];

		if (!atomic_load(&self->used))
			continue;
		pthread_mutex_lock(&self->lock);
		*connections += self->up;
		ready = ready && (self->up > 0 || atomic_load(&self->leases));
		if (self->error[0] != '\0')
			snprintf(error, size, "%s", self->error);
		pthread_mutex_unlock(&self->lock);
	}
	pthread_mutex_unlock(&all->lock);
	return ready;
}
