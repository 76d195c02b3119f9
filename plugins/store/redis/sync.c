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
consider(const node *self, lease *entry, int64_t now, bool leaving)
{
	lease_call plan = { .given = entry->given };

	lease_forget_lapsed(entry, now);
	entry->target = leases_target(self->all->leases, entry);
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
write_call(node *self, lease *entry, const lease_call *plan)
{
	const int64_t more[] = { plan->kept,   plan->back,         plan->given,  plan->least,
		                 plan->wanted, self->lasts / 1000, entry->number };
	wire *to = self->wire;

	if (entry->asked != NULL) {
		entry->asked = NULL;
		self->asking++;
		call_asking(to);
	}
	call_begin(to, self->options, to->sha[SCRIPT_LEASE], entry->tag, 1, 11 + CALL_METER);
	call_bucket(to, self->options, entry->table, entry->tag, entry->key, entry->key_length);
	nodes_state(self->all, to, entry->tag);
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
ask(node *self, lease *entry, int64_t now, bool leaving)
{
	lease_call plan;
	bool asks;

	pthread_mutex_lock(&self->all->leases->lock);
	entry->queued = false;
	plan = consider(self, entry, now, leaving);
	asks = entry->in_flight = plan.kept + plan.back + plan.given + plan.wanted > 0;
	if (asks) {
		write_call(self, entry, &plan);
		entry->held = plan.kept;
		entry->used = entry->given = entry->wanted = 0;
		entry->requested = plan.kept + plan.wanted;
	}
	pthread_mutex_unlock(&self->all->leases->lock);
	return asks;
}

/* Adds granted tokens to a lease, and notes when to ask Redis next, and what the bucket has. */
static void
credit(node *self, lease *entry, bool lapsed, int64_t granted, redisReply *const *more)
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
		leases_queue(self->all->leases, entry);
}

/*
 * Redis has no memory, or moves the slot, and changed nothing: it still has set aside what the lease held, of which
 * the call would have put some back.  That is lost, and nothing is leased for a while.
 */
static void
hold_off(node *self, lease *entry, limen_duration wait)
{
	pthread_mutex_lock(&self->all->leases->lock);
	entry->in_flight = false;
	entry->told = limen_host_monotonic();
	entry->none_before = entry->told + wait * 1000;
	pthread_mutex_unlock(&self->all->leases->lock);
}

/* Asks again where the bucket is. */
static void
redirect(node *self, lease *entry, node *to, bool asks)
{
	pthread_mutex_lock(&self->all->leases->lock);
	entry->in_flight = false;
	entry->asked = asks ? to : NULL;
	leases_queue(self->all->leases, entry);
	pthread_mutex_unlock(&self->all->leases->lock);
}

/* Reads the answer; false if it is malformed: the connection has then failed. */
static bool
take_answer(node *self, lease *entry, const redisReply *reply)
{
	int64_t lapsed, granted;
	bool asks;
	node *next = nodes_follow(self->all, self, entry->tag, reply, &asks);

	if (next != NULL) {
		redirect(self, entry, next, asks);
		return true;
	}
	if (answer_is_full(reply)) {
		hold_off(self, entry, NODE_FULL_WAIT);
		node_full(self);
		return true;
	}
	if (answer_is_early(reply)) {
		hold_off(self, entry, TICK_MS * 1000);
		return true;
	}
	if (!answer_check(self->wire, reply, 7))
		return false;
	atomic_store(&self->all->seen[entry->tag], true);
	lapsed = reply->element[0]->integer;
	granted = reply->element[1]->integer;
	pthread_mutex_lock(&self->all->leases->lock);
	entry->in_flight = false;
	if (lapsed != (lapsed == 1) || granted < 0 || granted > entry->requested)
		wire_fail_answer(self->wire);
	else
		credit(self, entry, lapsed == 1, granted, reply->element + 2);
	pthread_mutex_unlock(&self->all->leases->lock);
	if (!self->wire->failed && granted > 0)
		node_wrote(self, self->wire);
	return !self->wire->failed;
}

/* ---- calls and answers ---- */

static void
ask_next(node *self, bool leaving)
{
	int64_t now = limen_host_monotonic();
	lease *entry;

	if (self->flight_count > 0)
		return;
	self->answered = 0;
	self->sent_at = now;
	while (self->flight_count < SYNC_BATCH) {
		entry = leases_next(self->all->leases, self);
		if (entry == NULL)
			return;
		if (ask(self, entry, now, leaving))
			self->flight[self->flight_count++] = entry;
	}
}

/* Reads one answer, and frees it; false once the connection has failed. */
static bool
read_answer(node *self, redisReply *reply)
{
	bool good = reply != NULL;

	if (good && self->asking > 0 && reply->type == REDIS_REPLY_STATUS)
		self->asking--;
	else if (good)
		good = take_answer(self, self->flight[self->answered++], reply);
	freeReplyObject(reply);
	if (good && self->answered == self->flight_count)
		self->flight_count = 0;
	return good;
}

/* Returns idle leases to Redis, renews used ones, and forgets the rest. */
static bool
look_after(void *data, lease *entry)
{
	const node *self = data;
	int64_t now = limen_host_monotonic();
	int64_t half = self->lasts / 2;
	bool idle = now - entry->touched >= half;
	bool wants = entry->held < entry->target && now >= entry->none_before;

	if (entry->queued || entry->in_flight)
		return true;
	/* It comes back empty, if at all. */
	if (entry->node != NULL && !atomic_load(&entry->node->leases))
		return true;
	lease_forget_lapsed(entry, now);
	if (idle && entry->held + entry->given == 0)
		return false;
	if (idle || wants || (entry->held > 0 && now - entry->told >= half))
		leases_queue(self->all->leases, entry);
	return true;
}

static void
look(node *self)
{
	int64_t now = limen_host_monotonic();

	if (self->flight_count > 0 && now - self->sent_at > self->options->timeout * 1000)
		wire_fail(self->wire, "no answer in time");
	else if (now - atomic_load(&self->all->leases->looked_at) >= TICK_MS * INT64_C(1000000)) {
		atomic_store(&self->all->leases->looked_at, now);
		leases_each(self->all->leases, look_after, self);
	}
	if (self->flight_count == 0)
		nodes_touch(self, self->wire);
}

/* ---- one connection ---- */

static void
talk(node *self)
{
	wire *to = self->wire;
	uint64_t id[2] = { (uint64_t)getpid(), (uint64_t)limen_host_monotonic() };

	/* It names the leases: late commands of an old connection cannot change new ones. */
	(void)!getrandom(id, sizeof(id), GRND_NONBLOCK);
	snprintf(self->client, sizeof(self->client), "l%016" PRIx64 "%016" PRIx64, id[0], id[1]);
	self->flight_count = self->asking = 0;
	atomic_store(&self->leases, true);
	limen_host_set_ready(self->host, true);
	while (!to->failed && !limen_host_stopping(self->host) && atomic_load(&self->used)) {
		bool busy;
		short events = POLLIN;

		ask_next(self, false);
		wire_flush(to);
		if (to->out.length > 0)
			events = POLLIN | POLLOUT;
		/* Adding a lease wakes this thread. */
		busy = self->flight_count > 0 || atomic_load(&self->all->leases->count) > 0;
		if (!to->failed && node_wait(self, to->context->fd, events, busy ? TICK_MS : nodes_touch_wait(self)) &&
		    wire_read(to)) {
			while (self->flight_count > 0 && read_answer(self, wire_next(to)))
				;
		}
		atomic_store(&self->awake, false);
		look(self);
	}
}

/* Reads the answers to the calls in flight, until 'deadline'. */
static bool
finish_flight(node *self, limen_deadline deadline)
{
	while (self->flight_count > 0 && read_answer(self, wire_wait(self->wire, deadline, NULL)))
		;
	return self->flight_count == 0;
}

static bool
queue(void *data, lease *entry)
{
	node *self = data;

	if (entry->node == self)
		leases_queue(self->all->leases, entry);
	return true;
}

/* Returns all leases to Redis, within LEAVE_WITHIN. */
static void
leave(node *self)
{
	limen_deadline deadline = limen_host_monotonic() + LEAVE_WITHIN;

	if (!finish_flight(self, deadline))
		return;
	leases_each(self->all->leases, queue, self);
	do {
		ask_next(self, true);
	} while (self->flight_count > 0 && finish_flight(self, deadline));
}

/* After a lost connection, held tokens count as used: they may have been put back. */
void
sync_run(void *data)
{
	node *self = data;

	while (!limen_host_stopping(self->host)) {
		if (!atomic_load(&self->used)) {
			leases_move(self->all->leases, self);
			nodes_park(self);
			node_wait(self, -1, 0, -1);
			continue;
		}
		self->wire = node_connect(self);
		if (self->wire == NULL) {
			limen_host_set_ready(self->host, true);
			continue;
		}
		talk(self);
		atomic_store(&self->leases, false);
		if (self->wire->failed)
			node_lost(self, self->wire, self->flight_count > 0);
		else
			leave(self);
		wire_close(self->wire);
		leases_empty(self->all->leases, self);
	}
}
