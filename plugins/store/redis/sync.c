/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync.c - the thread that reports leases to Redis.  At most one pipeline is in flight;
 * leases queued meanwhile make the next.
 */
#include "modes.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

/* Interval at which all leases are checked. */
#define TICK_MS 50

/* Timeout for returning all leases at close, in nanoseconds. */
#define LEAVE_WITHIN 200000000

/* ---- one call ---- */

typedef struct lease_call {
	int64_t kept;
	int64_t back;   /* held tokens to put back */
	int64_t given;  /* used tokens that were given back */
	int64_t least;  /* fewer are of no use */
	int64_t wanted;
} lease_call;

/* Chooses what to ask Redis for a lease; the caller holds the lock. */
static lease_call
consider(const sync_state *self, lease *entry, int64_t now, bool leaving)
{
	lease_call plan = { .given = entry->given };

	lease_forget_lapsed(entry, now);
	entry->target = leases_target(self->leases, entry);
	if (leaving || now - entry->touched >= self->lasts / 2) {
		plan.back = entry->held;
		return plan;
	}
	/* After a burst the lease may hold more than this process will use. */
	if (entry->held > entry->target * 2 && entry->wanted <= entry->target)
		plan.back = entry->held - entry->target;
	plan.kept = entry->held - plan.back;
	if (entry->wanted > plan.kept)
		plan.least = entry->wanted - plan.kept;
	if (entry->target > plan.kept)
		plan.wanted = entry->target - plan.kept;
	if (plan.wanted < plan.least)
		plan.wanted = plan.least;
	return plan;
}

static void
write_call(sync_state *self, const lease *entry, const lease_call *plan)
{
	const int64_t more[] = { plan->kept,   plan->back,         plan->given,  plan->least,
		                 plan->wanted, self->lasts / 1000, entry->number };
	wire *to = self->wire;

	call_begin(to, self->options, to->sha[SCRIPT_LEASE], 1, 11 + CALL_METER);
	call_bucket(to, entry->table, entry->key, entry->key_length);
	call_state(to, self->options);
	wire_text(to, self->client);
	call_meter(to, &entry->table->meter);
	for (int i = 0; i < 7; i++)
		wire_number(to, more[i]);
}

/*
 * Writes the call for 'entry', which is in flight from then on, and has the state that Redis will
 * have after it.  With 'leaving' everything is put back.  Returns false if there is nothing to ask.
 */
static bool
ask(sync_state *self, lease *entry, int64_t now, bool leaving)
{
	lease_call plan;
	bool asks;

	pthread_mutex_lock(&self->leases->lock);
	entry->queued = false;
	plan = consider(self, entry, now, leaving);
	asks = entry->in_flight = plan.kept + plan.back + plan.given + plan.wanted > 0;
	if (asks) {
		write_call(self, entry, &plan);
		entry->held = plan.kept;
		entry->used = entry->given = entry->wanted = 0;
		entry->requested = plan.kept + plan.wanted;
	}
	pthread_mutex_unlock(&self->leases->lock);
	return asks;
}

/* Adds granted tokens to a lease, and notes when to ask Redis next, and what the bucket has. */
static void
credit(sync_state *self, lease *entry, bool lapsed, int64_t granted, redisReply *const *more)
{
	const limen_rate *rate = &entry->table->meter.rate;
	int64_t now = limen_host_monotonic();
	int64_t wait = more[0]->integer;

	if (lapsed)
		entry->held = entry->used = 0;
	entry->held += granted;
	/* Leases of a period end with it. */
	entry->good_until = self->sent_at + (more[4]->integer < self->lasts / 1000
	                                             ? more[4]->integer * 1000
	                                             : self->lasts);
	if (entry->number != more[3]->integer)
		entry->given = 0;
	entry->number = more[3]->integer;
	entry->told = now;
	entry->left = more[1]->integer;
	entry->left_since = now / 1000 + more[2]->integer;
	if (entry->table->meter.kind == LIMEN_METER_TOKEN)
		entry->left_since -= (limen_time)((rate->period - 1) / rate->tokens + 1);
	entry->none_before = wait == 0 ? 0 : now + wait * 1000;
	if (wait < 0 || wait > INT64_MAX / 2000)
		entry->none_before = INT64_MAX / 2;
	if (entry->wanted > entry->held && now >= entry->none_before)
		leases_queue(self->leases, entry);
}

/*
 * Redis has no memory and changed nothing: it still has set aside what the lease held, of which
 * the call would have put some back.  That is lost, and nothing is leased for a while.
 */
static void
hold_off(sync_state *self, lease *entry)
{
	pthread_mutex_lock(&self->leases->lock);
	entry->in_flight = false;
	entry->told = limen_host_monotonic();
	entry->none_before = entry->told + RECONNECT_FULL_WAIT * 1000;
	pthread_mutex_unlock(&self->leases->lock);
	reconnect_full(self->reconnect);
}

/* Reads the answer; false if it is malformed: the connection has then failed. */
static bool
take_answer(sync_state *self, lease *entry, const redisReply *reply)
{
	int64_t lapsed, granted;

	if (answer_is_full(reply)) {
		hold_off(self, entry);
		return true;
	}
	if (!answer_check(self->wire, reply, 7))
		return false;
	atomic_store(&self->options->has_seen_mark, true);
	lapsed = reply->element[0]->integer;
	granted = reply->element[1]->integer;
	pthread_mutex_lock(&self->leases->lock);
	entry->in_flight = false;
	if (lapsed < 0 || lapsed > 1 || granted < 0 || granted > entry->requested)
		wire_fail_answer(self->wire);
	else
		credit(self, entry, lapsed == 1, granted, reply->element + 2);
	pthread_mutex_unlock(&self->leases->lock);
	if (!self->wire->failed && granted > 0)
		reconnect_wrote(self->reconnect, self->wire);
	return !self->wire->failed;
}

/* ---- calls and answers ---- */

static void
ask_next(sync_state *self, bool leaving)
{
	int64_t now = limen_host_monotonic();
	lease *entry;

	if (self->flight_count > 0)
		return;
	self->answered = 0;
	self->sent_at = now;
	while (self->flight_count < SYNC_BATCH) {
		entry = leases_next(self->leases);
		if (entry == NULL)
			return;
		if (ask(self, entry, now, leaving))
			self->flight[self->flight_count++] = entry;
	}
}

static void
read_answers(sync_state *self)
{
	while (self->answered < self->flight_count) {
		redisReply *reply = wire_next(self->wire);

		if (reply == NULL)
			return;
		take_answer(self, self->flight[self->answered++], reply);
		freeReplyObject(reply);
	}
	self->flight_count = 0;
}

/* Returns idle leases to Redis, renews used ones, and forgets the rest. */
static bool
look_after(void *data, lease *entry)
{
	sync_state *self = data;
	int64_t now = limen_host_monotonic();
	int64_t half = self->lasts / 2;
	bool idle = now - entry->touched >= half;
	bool wants = entry->held < entry->target && now >= entry->none_before;

	if (entry->queued || entry->in_flight)
		return true;
	lease_forget_lapsed(entry, now);
	if (idle && entry->held + entry->given == 0)
		return false;
	if (idle || wants || (entry->held > 0 && now - entry->told >= half))
		leases_queue(self->leases, entry);
	return true;
}

static void
look(sync_state *self)
{
	int64_t now = limen_host_monotonic();

	if (now - self->looked_at < TICK_MS * INT64_C(1000000))
		return;
	self->looked_at = now;
	if (self->flight_count > 0 && now - self->sent_at > self->options->timeout * 1000)
		wire_fail(self->wire, "no answer in time");
	else
		leases_each(self->leases, look_after, self);
}

/* ---- one connection ---- */

static void
talk(sync_state *self)
{
	wire *to = self->wire;
	uint64_t id[2] = { (uint64_t)getpid(), (uint64_t)limen_host_monotonic() };

	/* It names the leases: late commands of an old connection cannot change new ones. */
	(void)!getrandom(id, sizeof(id), GRND_NONBLOCK);
	snprintf(self->client, sizeof(self->client), "l%016" PRIx64 "%016" PRIx64, id[0], id[1]);
	self->flight_count = 0;
	atomic_store(&self->leases->up, true);
	limen_host_set_ready(self->reconnect->host, true);
	while (!to->failed && !limen_host_stopping(self->reconnect->host)) {
		bool busy;
		short events = POLLIN;

		ask_next(self, false);
		wire_flush(to);
		if (to->out.length > 0)
			events = POLLIN | POLLOUT;
		/* Adding a lease wakes this thread. */
		busy = self->flight_count > 0 || atomic_load(&self->leases->count) > 0;
		if (!to->failed &&
		    reconnect_wait(self->reconnect, self->leases->wake, to->context->fd, events,
		                   busy ? TICK_MS : -1) &&
		    wire_read(to))
			read_answers(self);
		atomic_store(&self->leases->awake, false);
		look(self);
	}
}

/* Reads the answers to the calls in flight, until 'deadline'. */
static bool
finish_flight(sync_state *self, limen_deadline deadline)
{
	while (self->answered < self->flight_count) {
		redisReply *reply = wire_wait(self->wire, deadline, NULL);
		bool good =
			reply != NULL && take_answer(self, self->flight[self->answered++], reply);

		freeReplyObject(reply);
		if (!good)
			return false;
	}
	self->flight_count = 0;
	return true;
}

static bool
queue(void *data, lease *entry)
{
	leases_queue(data, entry);
	return true;
}

/* Returns all leases to Redis, within LEAVE_WITHIN. */
static void
leave(sync_state *self)
{
	limen_deadline deadline = limen_host_monotonic() + LEAVE_WITHIN;

	if (!finish_flight(self, deadline))
		return;
	leases_each(self->leases, queue, self->leases);
	do {
		ask_next(self, true);
	} while (self->flight_count > 0 && finish_flight(self, deadline));
}

/* After a lost connection, held tokens count as used: they may have been put back. */
static void
run(void *data)
{
	sync_state *self = data;

	while (!limen_host_stopping(self->reconnect->host)) {
		self->wire = reconnect_wire(self->reconnect);
		if (self->wire == NULL) {
			limen_host_set_ready(self->reconnect->host, true);
			continue;
		}
		talk(self);
		atomic_store(&self->leases->up, false);
		if (self->wire->failed)
			reconnect_lost(self->reconnect, self->wire, self->flight_count > 0);
		else
			leave(self);
		wire_close(self->wire);
		leases_empty(self->leases);
	}
}

bool
sync_open(sync_state *self, leases *all, settings *options, reconnect *where)
{
	*self = (sync_state){
		.leases = all,
		.options = options,
		.reconnect = where,
		.lasts = options->lease_time * 1000,
	};
	return limen_host_run(where->host, run, self) == LIMEN_OK;
}
