/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strict.c - runs takes on pools of connections.  A separate thread makes them: a decision
 * does not wait for Redis to come back.  It waits shortly only if all were closed as idle.
 */
#include "modes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAUSE 2000000 /* between two tries while a slot is moving, in nanoseconds */

void
strict_close_idle(node *self)
{
	self->up -= self->idle_count;
	while (self->idle_count > 0)
		wire_close(self->idle[--self->idle_count]);
}

/* The caller has the lock.  False at 'deadline', or if there is nothing to wait for. */
static bool
wait_for_idle(node *self, limen_deadline deadline)
{
	int64_t end = self->up > 0 || deadline < self->renewed_by ? deadline : self->renewed_by;
	struct timespec until = { (time_t)(end / 1000000000), (long)(end % 1000000000) };

	return limen_host_monotonic() < end &&
	       pthread_cond_timedwait(&self->freed, &self->lock, &until) == 0;
}

/*
 * Closes a connection that has ended; with a call 'in_flight' idle ones may have ended too.  Without
 * a loss, decisions wait up to half the timeout for a new one; the other half is for the call.
 */
static void
drop(node *self, wire *ended, bool in_flight)
{
	bool lost = node_lost(self, ended, in_flight);

	wire_close(ended);
	pthread_mutex_lock(&self->lock);
	self->up--;
	if (in_flight)
		strict_close_idle(self);
	if (self->up == 0 && !lost)
		self->renewed_by = limen_host_monotonic() + self->options->timeout * 1000 / 2;
	pthread_cond_broadcast(&self->freed);
	pthread_mutex_unlock(&self->lock);
	node_wake(self);
}

/* Returns an idle connection; NULL at 'deadline', or if none is up. */
static wire *
borrow(node *self, limen_deadline deadline)
{
	for (;;) {
		wire *found = NULL;

		pthread_mutex_lock(&self->lock);
		while (self->idle_count == 0 && wait_for_idle(self, deadline))
			;
		if (self->idle_count > 0)
			found = self->idle[--self->idle_count];
		pthread_mutex_unlock(&self->lock);
		if (found == NULL || wire_check_idle(found))
			return found;
		drop(self, found, false);
	}
}

static void
return_wire(node *self, wire *used)
{
	if (used != NULL && used->failed) {
		drop(self, used, true);
	} else if (used != NULL) {
		pthread_mutex_lock(&self->lock);
		self->idle[self->idle_count++] = used;
		pthread_cond_signal(&self->freed);
		pthread_mutex_unlock(&self->lock);
	}
}

/* Adds a connection (NULL: the attempt has failed), and wakes waiting decisions. */
static void
add(node *self, wire *connection)
{
	pthread_mutex_lock(&self->lock);
	self->renewed_by = 0;
	self->up += connection != NULL;
	pthread_cond_broadcast(&self->freed);
	pthread_mutex_unlock(&self->lock);
	return_wire(self, connection);
	limen_host_set_ready(self->host, true);
}

void
strict_run(void *data)
{
	node *self = data;

	while (!limen_host_stopping(self->host)) {
		bool used = atomic_load(&self->used);
		wire *connection;
		size_t up;

		pthread_mutex_lock(&self->lock);
		if (!used)
			strict_close_idle(self);
		up = self->up;
		pthread_mutex_unlock(&self->lock);
		if (!used && up == 0)
			node_park(self);
		if (used && up < (size_t)self->options->connections) {
			add(self, node_connect(self));
			continue;
		}
		node_wait(self, -1, 0, node_touch_wait(self));
		connection = borrow(self, 0);
		if (connection != NULL)
			node_touch(self, connection);
		return_wire(self, connection);
	}
}

/* Some takes of a batch, with the same tag, or one take to give back. */
typedef struct strict_call {
	script_id script;
	unsigned tag;
	limen_store_take *takes;
	const uint64_t *order; /* which of the batch, below the tag; NULL: the first ones */
	size_t count;
	unsigned flags;
	limen_deadline deadline; /* to begin by */
	node *at;                /* which was called */
	wire *wire;
} strict_call;

static limen_store_take *
nth(const strict_call *request, size_t i)
{
	return &request->takes[request->order == NULL ? i : (uint32_t)request->order[i]];
}

/* Writes the call; with 'by_text' it brings the script along. */
static void
write_call(const strict_call *request, bool by_text)
{
	const settings *options = request->at->options;
	size_t gives = request->script == SCRIPT_GIVE, flags = gives ? 0 : 2;
	size_t arguments = 3 + flags + (CALL_METER + 1 + gives) * request->count;
	wire *to = request->wire;

	call_begin(to, options, by_text ? script_texts[request->script] : to->sha[request->script],
	           request->tag, request->count, arguments);
	for (size_t i = 0; i < request->count; i++)
		call_bucket(to, options, request->tag, nth(request, i));
	nodes_state(request->at->all, to, request->tag);
	if (flags > 0) {
		wire_text(to, (request->flags & LIMEN_TAKE_ALL) ? "1" : "0");
		wire_text(to, (request->flags & LIMEN_TAKE_PEEK) ? "1" : "0");
	}
	for (size_t i = 0; i < request->count; i++) {
		const limen_store_take *take = nth(request, i);
		const limen_meter *meter = &((const table_spec *)take->table)->meter;
		int64_t quota = limen_meter_quota(meter);

		call_meter(to, meter);
		/* More than the quota is never granted; the numbers of scripts are bounded. */
		wire_number(to, take->amount > quota ? quota + 1 : take->amount);
		if (gives > 0)
			wire_number(to, (int64_t)(take->cookie >> GRANTED_BITS));
	}
}

/*
 * Calls a script by its hash, or by its text if Redis was told to forget its scripts.  NULL if
 * Redis is unreachable.
 */
static redisReply *
try(strict_call *request, bool asks, limen_deadline deadline)
{
	redisReply *reply = NULL;

	request->wire = borrow(request->at, request->deadline);
	for (int by_text = 0; by_text < 2 && request->wire != NULL; by_text++) {
		if (asks) {
			wire_begin(request->wire, 1);
			wire_text(request->wire, "ASKING");
			freeReplyObject(reply);
			reply = wire_wait(request->wire, deadline, NULL);
			if (reply == NULL || reply->type == REDIS_REPLY_ERROR)
				break;
		}
		write_call(request, by_text == 1);
		freeReplyObject(reply);
		reply = wire_wait(request->wire, deadline, NULL);
		if (!answer_is_error(reply, "NOSCRIPT"))
			break;
	}
	return reply;
}

/*
 * Calls a script where the tag is, and waits for the answer until 'deadline'.  Until that of the
 * request it follows redirections, and waits while a slot moves; each answer has the whole timeout,
 * and one late ASK is followed.  NULL if Redis is unreachable.  The caller returns the connection.
 */
static redisReply *
call(nodes *all, strict_call *request, limen_deadline deadline)
{
	const struct timespec pause = { .tv_nsec = PAUSE };
	bool asks = false, late = false;

	request->at = nodes_find(all, request->tag);
	for (unsigned turn = 0;; turn++) {
		redisReply *reply = try(request, asks, deadline);
		node *next = nodes_follow(all, request->at, request->tag, reply, &asks);
		int64_t now = limen_host_monotonic();

		if (next == NULL &&
		    (!answer_is_error(reply, ERROR_EARLY) || now + PAUSE >= request->deadline))
			return reply;
		freeReplyObject(reply);
		return_wire(request->at, request->wire);
		request->wire = NULL;
		request->at = next == NULL ? nodes_find(all, request->tag) : next;
		deadline = now + all->options->timeout * 1000;
		if (next != NULL && now >= request->deadline && (late || !asks))
			return NULL;
		late = now >= request->deadline;
		/* Masters that have just changed may send it to and fro. */
		if (next == NULL || turn > 1)
			nanosleep(&pause, NULL);
	}
}

/* Stores the answers; with LIMEN_TAKE_ALL one refusal revokes all grants. */
static limen_verdict
answer(nodes *all, const strict_call *request, const redisReply *reply)
{
	size_t count = request->count;
	bool granted = true;

	atomic_store(&all->seen[request->tag], true);
	for (size_t i = 0; i < count; i++)
		granted = granted && reply->element[i * 2]->integer == 1;
	for (size_t i = 0; i < count; i++) {
		redisReply *const *left = &reply->element[count * 2 + i * 3];
		bool good = reply->element[i * 2]->integer == 1;
		limen_store_take *take = nth(request, i);

		take->granted = good && (granted || !(request->flags & LIMEN_TAKE_ALL));
		take->wait = good ? 0 : reply->element[i * 2 + 1]->integer;
		take->cookie = (uint64_t)left[2]->integer << GRANTED_BITS | GRANTED_BY_REDIS;
		/* Redis answers refusals and peeks without memory too: only a grant has written. */
		if (take->granted && !(request->flags & LIMEN_TAKE_PEEK))
			node_wrote(request->at, request->wire);
		if (take->reading == NULL)
			continue;
		take->reading->quota = limen_meter_quota(&((const table_spec *)take->table)->meter);
		take->reading->remaining = left[0]->integer;
		take->reading->reset = left[1]->integer;
	}
	return granted ? LIMEN_PASS : LIMEN_FAIL;
}

/* Takes from the buckets of one tag; false if Redis is unreachable. */
static bool
take_tag(nodes *all, strict_call *request, limen_deadline deadline, limen_verdict *verdict)
{
	redisReply *reply = call(all, request, deadline);
	bool full = answer_is_error(reply, ERROR_FULL);
	bool later = full || answer_is_error(reply, ERROR_EARLY);
	bool good = !later && reply != NULL && answer_check(request->wire, reply, request->count * 5);

	if (full)
		node_full(request->at);
	/* Redis has no memory to count the takes, or moves their slot. */
	for (size_t i = 0; later && i < request->count; i++)
		nth(request, i)->wait = NODE_FULL_WAIT;
	if (good)
		*verdict = answer(all, request, reply);
	else if (later)
		*verdict = LIMEN_FAIL;
	freeReplyObject(reply);
	return_wire(request->at, request->wire);
	return good || later;
}

static int
compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

/* Gives back in reverse what the first 'count' in the order were granted. */
static void
undo(nodes *all, limen_store_take *takes, const uint64_t *order, size_t count)
{
	while (count-- > 0) {
		limen_store_take *take = &takes[(uint32_t)order[count]];

		if (!take->granted)
			continue;
		strict_give(all, take);
		if (take->reading != NULL)
			take->reading->remaining += take->amount;
	}
}

/*
 * Takes from one tag after the other, in the order of tags.  With LIMEN_TAKE_ALL, after a refusal
 * the rest is only looked at, and what was granted is given back: others may be refused meanwhile,
 * and never is more admitted.
 */
static bool
take_in_order(nodes *all, strict_call *request, const uint64_t *order, limen_deadline deadline,
              limen_verdict *verdict)
{
	size_t count = request->count, taken = 0, end;
	bool all_or_none = request->flags & LIMEN_TAKE_ALL;
	bool good = true;

	*verdict = LIMEN_PASS;
	for (size_t i = 0; good && i < count; i = end) {
		limen_verdict found = LIMEN_FAIL;

		request->tag = (unsigned)(order[i] >> 32);
		request->order = order + i;
		for (end = i + 1; order[end] >> 32 == request->tag; end++)
			;
		request->count = end - i;
		taken = request->flags & LIMEN_TAKE_PEEK ? taken : end;
		good = take_tag(all, request, deadline, &found);
		if (found != LIMEN_PASS)
			*verdict = LIMEN_FAIL;
		if (*verdict == LIMEN_FAIL && all_or_none)
			request->flags |= LIMEN_TAKE_PEEK;
	}
	if (good && (*verdict == LIMEN_PASS || !all_or_none))
		return true;
	undo(all, request->takes, order, taken);
	for (size_t i = 0; i < count; i++)
		request->takes[i].granted = false;
	return good;
}

static bool
take_each(nodes *all, strict_call *request, limen_deadline deadline, limen_verdict *verdict)
{
	uint64_t *order = calloc(request->count + 1, sizeof(*order));
	bool good;

	if (order == NULL)
		return false;
	for (size_t i = 0; i < request->count; i++)
		order[i] = (uint64_t)nodes_tag(all, &request->takes[i]) << 32 | i;
	order[request->count] = UINT64_MAX; /* no tag: the end */
	qsort(order, request->count, sizeof(*order), compare);
	good = take_in_order(all, request, order, deadline, verdict);
	free(order);
	return good;
}

/*
 * Waits for an answer in flight even past the take's deadline: closing the connection would
 * make all other takes treat Redis as unreachable.
 */
bool
strict_take(nodes *all, limen_store_take *takes, size_t count, unsigned flags,
            limen_deadline deadline, limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	int64_t until = now + all->options->timeout * 1000;
	strict_call request = { .script = SCRIPT_TAKE, .takes = takes, .count = count, .flags = flags,
		                .deadline = deadline < until ? deadline : until };
	bool good = false;

	if (now < deadline && (count == 1 || all->options->cluster.count == 0)) {
		request.tag = nodes_tag(all, takes);
		good = take_tag(all, &request, until, verdict);
	} else if (now < deadline) {
		good = take_each(all, &request, until, verdict);
	}
	if (limen_host_monotonic() < deadline)
		return good;
	/* After the deadline the fallback must not answer. */
	*verdict = LIMEN_ERROR;
	return true;
}

void
strict_give(nodes *all, const limen_store_take *take)
{
	limen_store_take given = *take;
	limen_deadline deadline = limen_host_monotonic() + all->options->timeout * 1000;
	strict_call request = { .script = SCRIPT_GIVE, .tag = nodes_tag(all, take), .takes = &given,
		                .count = 1, .deadline = deadline };
	redisReply *reply = call(all, &request, deadline);

	if (answer_is_error(reply, ERROR_FULL))
		node_full(request.at);
	else if (reply != NULL && reply->type != REDIS_REPLY_INTEGER &&
	         !answer_is_error(reply, ERROR_EARLY))
		wire_fail_reply(request.wire, reply);
	freeReplyObject(reply);
	return_wire(request.at, request.wire);
}
