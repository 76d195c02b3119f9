/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c - the masters that count, and who has which tag; a Redis that is no cluster is one of them. */
#include "modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes; the caller has the lock ---- */

/* Gives a node the address; takes wait for its connections. */
static void
name(node *self, const place *address)
{
	self->address = *address;
	self->where.host = self->address.host;
	self->where.port = address->port;
	snprintf(self->where.shown, sizeof(self->where.shown), "%s:%d", address->host,
	         (int)address->port);
	self->parked = false;
	strcpy(self->run, WIRE_RUN_UNKNOWN);
	atomic_store(&self->touches_at, 0);
	pthread_mutex_lock(&self->lock);
	self->waits = false;
	self->attempts = 0;
	self->renewed_by = limen_host_monotonic() + self->options->timeout * 1000 / 2;
	pthread_mutex_unlock(&self->lock);
}

/* Adds a node at 'address' (NULL: that of the options); false if memory or descriptors are short. */
static bool
start(nodes *all, const place *address)
{
	node *self = atomic_load(&all->count) < NODES_MAX ? calloc(1, sizeof(*self)) : NULL;
	bool good = self != NULL && node_open(self, all, all->where);

	if (good && address != NULL)
		name(self, address);
	if (good && limen_host_run(all->host, all->run, self) == LIMEN_OK) {
		all->list[atomic_load(&all->count)] = self;
		atomic_fetch_add(&all->count, 1);
		return true;
	}
	if (self != NULL)
		node_close(self);
	free(self);
	return false;
}

/* Returns where in the list the node at 'address' is, a new one if need be; NODES_MAX: there is no room. */
static size_t
find(nodes *all, const place *address)
{
	size_t at, free_at = NODES_MAX;

	for (at = 0; at < atomic_load(&all->count); at++) {
		if (all->list[at]->parked)
			free_at = at;
		else if (place_equal(&all->list[at]->address, address))
			break;
	}
	if (at == atomic_load(&all->count)) {
		if (free_at < NODES_MAX)
			name(all->list[free_at], address);
		else if (!start(all, address))
			return NODES_MAX;
		at = free_at < NODES_MAX ? free_at : at;
	}
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

/* ---- all of them ---- */

bool
nodes_open(nodes *all, limen_host *host, settings *options, const location *where,
           const cluster_map *map, limen_job run)
{
	place first = { .port = REDIS_PORT };

	all->host = host;
	all->options = options;
	all->where = where;
	all->run = run;
	pthread_mutex_init(&all->lock, NULL);
	pthread_mutex_lock(&all->lock);
	if (map->count > 0)
		apply(all, map);
	else if (where->cluster.count == 0)
		start(all, NULL);
	/* Until a node tells who has which slots. */
	else if (settings_place(where->cluster.items[0], &first))
		find(all, &first);
	pthread_mutex_unlock(&all->lock);
	return atomic_load(&all->count) > 0;
}

void
nodes_close(nodes *all)
{
	for (size_t i = 0; i < atomic_load(&all->count); i++) {
		node_close(all->list[i]);
		free(all->list[i]);
	}
	pthread_mutex_destroy(&all->lock);
}

unsigned
nodes_tag(const nodes *all, const limen_store_take *take)
{
	return all->where->cluster.count == 0 ? 0
	                                      : wire_slot(take->key, take->key_length) % CALL_TAGS;
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

	if (reply->type != REDIS_REPLY_ERROR || all->where->cluster.count == 0)
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

void
nodes_refresh(nodes *all)
{
	limen_deadline deadline = limen_host_monotonic() + all->options->connect_timeout * 1000;
	place known[NODES_MAX];
	size_t count = 0;
	cluster_map map;
	wire_fault why;

	if (all->where->cluster.count == 0)
		return;
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < atomic_load(&all->count); i++) {
		if (atomic_load(&all->list[i]->used))
			known[count++] = all->list[i]->address;
	}
	pthread_mutex_unlock(&all->lock);
	if (!wire_find(all->where, known, count, deadline, all->host, &map, &why))
		return;
	pthread_mutex_lock(&all->lock);
	apply(all, &map);
	pthread_mutex_unlock(&all->lock);
}

void
nodes_park(node *self)
{
	nodes *all = self->all;
	bool loses;

	pthread_mutex_lock(&all->lock);
	self->parked = !atomic_load(&self->used);
	if (self->parked)
		self->run[0] = '\0';
	pthread_mutex_lock(&self->lock);
	loses = self->parked && self->error[0] != '\0';
	self->error[0] = self->parked ? '\0' : self->error[0];
	atomic_store(&self->doubted, atomic_load(&self->doubted) && !self->parked);
	pthread_mutex_unlock(&self->lock);
	if (loses)
		limen_host_log(all->host, LIMEN_LOG_INFO, "Redis has other masters now, without %s",
		               self->where.shown);
	pthread_mutex_unlock(&all->lock);
}

void
nodes_note_run(node *self, const char *run)
{
	pthread_mutex_lock(&self->all->lock);
	snprintf(self->run, sizeof(self->run), "%s", run);
	pthread_mutex_unlock(&self->all->lock);
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
nodes_touch_wait(const node *self)
{
	int64_t left = (atomic_load(&self->touches_at) - limen_host_monotonic()) / 1000000;

	if (self->all->where->cluster.count == 0)
		return NODES_TOUCH_MS;
	return left > NODES_RETRY_MS ? (int)left : NODES_RETRY_MS;
}

/* A take from no bucket, which looks after the mark. */
static void
touch(node *self, wire *by, unsigned tag)
{
	call_begin(by, self->options, by->sha[SCRIPT_TAKE], tag, 0, 5);
	nodes_state(self->all, by, tag);
	wire_text(by, "0");
	wire_text(by, "0");
}

void
nodes_touch(node *self, wire *by)
{
	nodes *all = self->all;
	int64_t now = limen_host_monotonic();
	unsigned tags[CALL_TAGS];
	size_t count = 0;
	bool asks;

	if (all->where->cluster.count == 0 || now < atomic_load(&self->touches_at))
		return;
	atomic_store(&self->touches_at, now + NODES_TOUCH_MS * INT64_C(1000000));
	for (unsigned tag = 0; tag < CALL_TAGS; tag++) {
		if (nodes_find(all, tag) != self)
			continue;
		touch(self, by, tag);
		tags[count++] = tag;
	}
	for (size_t i = 0; i < count && !by->failed; i++) {
		redisReply *reply = wire_wait(by, limen_host_monotonic() + self->options->timeout * 1000,
		                              self->host);

		if (reply != NULL && reply->type == REDIS_REPLY_ARRAY) {
			atomic_store(&all->seen[tags[i]], true);
		} else if (reply != NULL) {
			/* It has moved, or the cluster or this process is not ready. */
			(void)nodes_follow(all, self, tags[i], reply, &asks);
			atomic_store(&self->touches_at, now + NODES_RETRY_MS * INT64_C(1000000));
		}
		freeReplyObject(reply);
	}
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
