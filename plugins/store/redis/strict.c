/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strict.c - runs takes on a pool of connections.  A separate thread makes them: a decision
 * does not wait for Redis to come back.  It waits shortly only if all were closed as idle.
 */
#include "modes.h"

#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* ---- connections ---- */

/* Makes connections while there are fewer than wanted, and wakes waiting decisions. */
static void
run(void *data)
{
	strict *self = data;

	while (!limen_host_stopping(self->reconnect->host)) {
		wire *connection;

		if (strict_up(self) == self->wanted) {
			reconnect_wait(self->reconnect, self->wake, -1, 0, -1);
			continue;
		}
		connection = reconnect_wire(self->reconnect);
		pthread_mutex_lock(&self->lock);
		self->renewed_by = 0;
		if (connection != NULL) {
			self->idle[self->idle_count++] = connection;
			self->up++;
		}
		pthread_cond_broadcast(&self->freed);
		pthread_mutex_unlock(&self->lock);
		limen_host_set_ready(self->reconnect->host, true);
	}
}

bool
strict_open(strict *self, settings *options, reconnect *where)
{
	pthread_condattr_t attributes;

	*self = (strict){ .options = options,
		          .reconnect = where,
		          .wanted = (size_t)options->connections };
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&self->freed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&self->lock, NULL);
	self->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (self->wake >= 0 && limen_host_run(where->host, run, self) == LIMEN_OK)
		return true;
	strict_close(self);
	return false;
}

/* The caller has the lock. */
static void
close_idle(strict *self)
{
	self->up -= self->idle_count;
	while (self->idle_count > 0)
		wire_close(self->idle[--self->idle_count]);
}

void
strict_close(strict *self)
{
	close_idle(self);
	if (self->wake >= 0)
		close(self->wake);
	pthread_cond_destroy(&self->freed);
	pthread_mutex_destroy(&self->lock);
}

size_t
strict_up(strict *self)
{
	size_t up;

	pthread_mutex_lock(&self->lock);
	up = self->up;
	pthread_mutex_unlock(&self->lock);
	return up;
}

/* The caller has the lock.  False at 'deadline', or if there is nothing to wait for. */
static bool
wait_for_idle(strict *self, limen_deadline deadline)
{
	int64_t end = self->up > 0 || deadline < self->renewed_by ? deadline : self->renewed_by;
	struct timespec until = {
		.tv_sec = (time_t)(end / 1000000000),
		.tv_nsec = (long)(end % 1000000000),
	};

	return limen_host_monotonic() < end &&
	       pthread_cond_timedwait(&self->freed, &self->lock, &until) == 0;
}

static wire *
find_idle(strict *self, limen_deadline deadline)
{
	wire *found = NULL;

	pthread_mutex_lock(&self->lock);
	while (self->idle_count == 0 && wait_for_idle(self, deadline))
		;
	if (self->idle_count > 0)
		found = self->idle[--self->idle_count];
	pthread_mutex_unlock(&self->lock);
	return found;
}

/*
 * Closes a connection that has ended; with a call 'in_flight': then idle ones may have
 * ended too.  After an end without a loss, decisions wait up to half the timeout for a new
 * connection; the other half is for the call.
 */
static void
drop(strict *self, wire *ended, bool in_flight)
{
	bool lost = reconnect_lost(self->reconnect, ended, in_flight);
	uint64_t count = 1;

	wire_close(ended);
	pthread_mutex_lock(&self->lock);
	self->up--;
	if (in_flight)
		close_idle(self);
	if (self->up == 0 && !lost)
		self->renewed_by = limen_host_monotonic() + self->options->timeout * 1000 / 2;
	pthread_cond_broadcast(&self->freed);
	pthread_mutex_unlock(&self->lock);
	(void)!write(self->wake, &count, sizeof(count));
}

/* Returns an idle connection; NULL at 'deadline', or if none is up. */
static wire *
borrow(strict *self, limen_deadline deadline)
{
	wire *found = find_idle(self, deadline);

	while (found != NULL && !wire_check_idle(found)) {
		drop(self, found, false);
		found = find_idle(self, deadline);
	}
	return found;
}

static void
return_wire(strict *self, wire *used)
{
	if (used->failed) {
		drop(self, used, true);
		return;
	}
	pthread_mutex_lock(&self->lock);
	self->idle[self->idle_count++] = used;
	pthread_cond_signal(&self->freed);
	pthread_mutex_unlock(&self->lock);
}

/* ---- calls ---- */

/* A batch of takes, or one take to give back. */
typedef struct strict_call {
	script_id script;
	const limen_store_take *takes;
	size_t count;
	unsigned flags;
} strict_call;

/* Writes the call; with 'by_text' it brings the script along. */
static void
write_call(const strict *self, wire *to, const strict_call *request, bool by_text)
{
	size_t flags = request->script == SCRIPT_TAKE ? 2 : 0;
	size_t given = request->script == SCRIPT_GIVE;
	size_t arguments = 3 + flags + (CALL_METER + 1 + given) * request->count;

	call_begin(to, self->options,
	           by_text ? script_texts[request->script] : to->sha[request->script],
	           request->count, arguments);
	for (size_t i = 0; i < request->count; i++)
		call_bucket(to, request->takes[i].table, request->takes[i].key,
		            request->takes[i].key_length);
	call_state(to, self->options);
	if (request->script == SCRIPT_TAKE) {
		wire_text(to, (request->flags & LIMEN_TAKE_ALL) ? "1" : "0");
		wire_text(to, (request->flags & LIMEN_TAKE_PEEK) ? "1" : "0");
	}
	for (size_t i = 0; i < request->count; i++) {
		const table_spec *table = request->takes[i].table;

		call_meter(to, &table->meter);
		call_amount(to, &table->meter, request->takes[i].amount);
		if (given)
			wire_number(to, (int64_t)(request->takes[i].cookie >> GRANTED_BITS));
	}
}
/* Calls a script by its hash, or by its text if Redis was told to forget its scripts. */
static redisReply *
call(const strict *self, wire *used, const strict_call *request, limen_deadline deadline)
{
	redisReply *reply;

	write_call(self, used, request, false);
	reply = wire_wait(used, deadline, NULL);
	if (reply == NULL || reply->type != REDIS_REPLY_ERROR ||
	    strncmp(reply->str, "NOSCRIPT", 8) != 0)
		return reply;
	freeReplyObject(reply);
	write_call(self, used, request, true);
	return wire_wait(used, deadline, NULL);
}

/* Stores the answers; with LIMEN_TAKE_ALL one refusal revokes all grants. */
static limen_verdict
answer(limen_store_take *takes, const redisReply *reply, size_t count, unsigned flags)
{
	bool granted = true;

	for (size_t i = 0; i < count; i++)
		granted = granted && reply->element[i * 2]->integer == 1;
	for (size_t i = 0; i < count; i++) {
		redisReply *const *left = &reply->element[count * 2 + i * 3];
		bool good = reply->element[i * 2]->integer == 1;

		takes[i].granted = good && (granted || !(flags & LIMEN_TAKE_ALL));
		takes[i].wait = good ? 0 : reply->element[i * 2 + 1]->integer;
		takes[i].cookie = (uint64_t)left[2]->integer << GRANTED_BITS | GRANTED_BY_REDIS;
		if (takes[i].reading == NULL)
			continue;
		takes[i].reading->quota =
			limen_meter_quota(&((const table_spec *)takes[i].table)->meter);
		takes[i].reading->remaining = left[0]->integer;
		takes[i].reading->reset = left[1]->integer;
	}
	return granted ? LIMEN_PASS : LIMEN_FAIL;
}

static bool
take_over(strict *self, wire *used, limen_store_take *takes, size_t count, unsigned flags,
          limen_deadline deadline, limen_verdict *verdict)
{
	const strict_call request = { SCRIPT_TAKE, takes, count, flags };
	redisReply *reply = call(self, used, &request, deadline);
	bool full = answer_is_full(reply);
	bool good = !full && reply != NULL && answer_check(used, reply, count * 5);

	/* Redis has no memory to count the takes: a retry may find some. */
	for (size_t i = 0; full && i < count; i++)
		takes[i].wait = RECONNECT_FULL_WAIT;
	if (full) {
		*verdict = LIMEN_FAIL;
		reconnect_full(self->reconnect);
	} else if (good) {
		*verdict = answer(takes, reply, count, flags);
		atomic_store(&self->options->has_seen_mark, true);
	}
	/* Redis answers refusals and peeks without memory too: only a grant has written. */
	for (size_t i = 0; good && !(flags & LIMEN_TAKE_PEEK) && i < count; i++) {
		if (takes[i].granted)
			reconnect_wrote(self->reconnect, used);
	}
	freeReplyObject(reply);
	return_wire(self, used);
	return good || full;
}

/*
 * Waits for an answer in flight even past the take's deadline: closing the connection would
 * make all other takes treat Redis as unreachable.
 */
bool
strict_take(strict *self, limen_store_take *takes, size_t count, unsigned flags,
            limen_deadline deadline, limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	int64_t until = now + self->options->timeout * 1000;
	wire *used = now < deadline ? borrow(self, deadline < until ? deadline : until) : NULL;
	bool good = used != NULL && take_over(self, used, takes, count, flags, until, verdict);

	if (limen_host_monotonic() < deadline)
		return good;
	/* After the deadline the fallback must not answer. */
	*verdict = LIMEN_ERROR;
	return true;
}

void
strict_give(strict *self, const limen_store_take *take)
{
	const strict_call request = { SCRIPT_GIVE, take, 1, 0 };
	limen_deadline deadline = limen_host_monotonic() + self->options->timeout * 1000;
	wire *used = borrow(self, deadline);
	redisReply *reply;

	if (used == NULL)
		return;
	reply = call(self, used, &request, deadline);
	if (answer_is_full(reply))
		reconnect_full(self->reconnect);
	else if (reply != NULL && reply->type != REDIS_REPLY_INTEGER)
		wire_fail_reply(used, reply);
	freeReplyObject(reply);
	return_wire(self, used);
}
