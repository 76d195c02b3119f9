/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease.c - mode lease: the table of leases, takes from them, and the threads that report them to
 * Redis.  The lock is held while a batch is answered.  A take's cookie is the address of its lease
 * meanwhile.
 */
#include "modes.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/random.h>
#include <unistd.h>

#define HEADS 16384

#define SOON (LIMEN_SECOND / 100) /* retry delay while Redis has not answered yet */
#define TICK_MS 50                /* interval at which all leases are checked */
#define LEAVE_WITHIN 200000000    /* timeout for returning all at close, in nanoseconds */

/* Redirections to follow without a pause: masters that have just changed may send to and fro. */
#define REDIRECTIONS 4

bool
leases_open(leases *all, nodes *list)
{
	*all = (leases){ .nodes = list, .options = list->options };
	key_hash_draw(&all->seed);
	pthread_mutex_init(&all->lock, NULL);
	all->heads = calloc(HEADS, sizeof(lease *));
	return all->heads != NULL;
}

void
leases_close(leases *all)
{
	leases_each(all, NULL, NULL);
	free(all->heads);
	pthread_mutex_destroy(&all->lock);
}

static void
lease_free(leases *all, lease *entry)
{
	table_spec_unref(entry->table);
	free(entry);
	atomic_fetch_sub(&all->count, 1);
}

/* Makes room by dropping an empty lease of the same chain, though none touched 'now'. */
static bool
make_room(leases *all, uint64_t hash, int64_t now)
{
	lease **link = &all->heads[hash % HEADS];

	if ((int64_t)atomic_load(&all->count) < all->options->capacity)
		return true;
	for (; *link != NULL; link = &(*link)->next) {
		lease *entry = *link;

		if (entry->queued || entry->in_flight || entry->touched == now ||
		    entry->held + entry->used + entry->given > 0)
			continue;
		*link = entry->next;
		lease_free(all, entry);
		return true;
	}
	return false;
}

/* Returns the tokens it should hold, from its rate and its recent use. */
static int64_t
find_target(const leases *all, const lease *entry)
{
	int64_t quota = limen_meter_quota(&entry->table->meter);
	int64_t target = MAX(entry->table->lease, entry->used * 2);

	target = MIN(target, MIN(quota / 8, all->options->lease_most));
	return MIN(MAX(target, all->options->lease_least), quota);
}

/* Returns the lease for 'take'; NULL if there are too many, or memory is short. */
static lease *
lease_get(leases *all, const limen_store_take *take, int64_t now)
{
	uint64_t hash = key_hash(&all->seed, take->key, take->key_length);
	lease **head = &all->heads[hash % HEADS];
	lease *entry = *head;
	table_spec *table = take->table;

	while (entry != NULL &&
	       (entry->hash != hash || entry->key_length != take->key_length ||
	        memcmp(entry->key, take->key, take->key_length) != 0 ||
	        (entry->table != table && strcmp(entry->table->prefix, table->prefix) != 0)))
		entry = entry->next;
	if (entry == NULL && make_room(all, hash, now)) {
		entry = calloc(1, sizeof(*entry) + take->key_length);
		if (entry == NULL)
			return NULL;
		entry->table = table;
		entry->hash = hash;
		entry->tag = (uint16_t)nodes_tag(all->nodes, take);
		entry->key_length = (uint16_t)take->key_length;
		memcpy(entry->key, take->key, take->key_length);
		entry->target = find_target(all, entry);
		entry->left = -1;
		entry->next = *head;
		*head = entry;
		atomic_fetch_add(&table->users, 1);
		atomic_fetch_add(&all->count, 1);
	}
	return entry;
}

/* Counts tokens of a lapsed lease as used. */
static void
forget_lapsed(lease *entry, int64_t now)
{
	if (now >= entry->good_until)
		entry->held = entry->used = 0;
}

void
leases_each(leases *all, bool (*each)(void *data, lease *entry), void *data)
{
	pthread_mutex_lock(&all->lock);
	for (size_t head = 0; head < HEADS; head++) {
		lease **link = &all->heads[head];

		while (*link != NULL) {
			lease *entry = *link;

			if (each != NULL && each(data, entry)) {
				link = &entry->next;
				continue;
			}
			*link = entry->next;
			lease_free(all, entry);
		}
	}
	pthread_mutex_unlock(&all->lock);
}

static bool
empty(void *data, lease *entry)
{
	if (entry->node != data)
		return true;
	entry->held = entry->used = entry->given = 0;
	entry->told = 0;
	entry->left = -1;
	entry->none_before = 0;
	entry->in_flight = false;
	return true;
}

void
leases_empty(leases *all, node *of)
{
	leases_each(all, empty, of);
}

/* Queues 'entry' at its node, unless it is queued or in flight.  The caller holds the lock. */
static void
enqueue(leases *all, lease *entry)
{
	node *to = entry->asked == NULL ? nodes_find(all->nodes, entry->tag) : entry->asked;

	if (entry->queued || entry->in_flight)
		return;
	entry->node = to;
	entry->queued = true;
	entry->queued_after = NULL;
	if (to->first == NULL)
		to->first = entry;
	else
		to->last->queued_after = entry;
	to->last = entry;
	if (!atomic_exchange(&to->awake, true))
		node_wake(to);
}

lease *
leases_next(leases *all, node *from)
{
	lease *entry;

	pthread_mutex_lock(&all->lock);
	entry = from->first;
	if (entry != NULL)
		from->first = entry->queued_after;
	pthread_mutex_unlock(&all->lock);
	return entry;
}

/* Moves what is queued at a node that is not used to where its tag is now. */
static void
move_queue(leases *all, node *from)
{
	lease *entry;

	while (!atomic_load(&from->used) && (entry = leases_next(all, from)) != NULL) {
		pthread_mutex_lock(&all->lock);
		entry->queued = false;
		entry->asked = NULL;
		enqueue(all, entry);
		pthread_mutex_unlock(&all->lock);
	}
}

static void
use(lease *entry, int64_t amount)
{
	entry->held -= amount;
	entry->used += amount;
}

static void
take_one(leases *all, limen_store_take *take, int64_t now)
{
	const table_spec *table = take->table;
	bool fits = take->amount <= limen_meter_quota(&table->meter);
	lease *entry = fits ? lease_get(all, take, now) : NULL;

	take->cookie = (uintptr_t)entry;
	take->granted = false;
	if (entry == NULL) {
		take->wait = fits ? NODE_FULL_WAIT : take->wait;
		if (fits && log_is_due(&all->full_logged))
			limen_host_log(all->nodes->host, LIMEN_LOG_WARNING,
			               "the leases are full (%" PRId64 " keys): requests with other keys "
			               "are refused; raise 'capacity'", all->options->capacity);
		return;
	}
	forget_lapsed(entry, now);
	entry->touched = now;
	take->granted = entry->held >= take->amount;
	if (take->granted) {
		use(entry, take->amount);
	} else {
		entry->wanted = MAX(entry->wanted, take->amount);
		take->wait = entry->told == 0 || entry->none_before <= now
		                     ? SOON
		                     : (entry->none_before - now) / 1000 + 1;
	}
	/* More is asked for before the lease is empty, unless Redis has said there are none. */
	if ((entry->held * 2 < entry->target || entry->wanted > entry->held) &&
	    now >= entry->none_before)
		enqueue(all, entry);
}

/*
 * Tells what the lease holds and the bucket has by now.  The bucket does not refill what was leased
 * before Redis knows of its use.
 */
static void
tell(const lease *entry, int64_t now, limen_reading *out)
{
	limen_meter meter = entry->table->meter;
	limen_meter_state state = { .level = { entry->left_since, entry->left, 0 } };
	int64_t quota = limen_meter_quota(&meter);

	if (meter.kind == LIMEN_METER_TOKEN) {
		meter.rate.burst -= entry->held + entry->used;
		state.level.tokens = MIN(state.level.tokens, meter.rate.burst);
		limen_meter_look(&meter, state, NULL, now / 1000, out);
		out->remaining += entry->held;
		if (out->reset == 0 && out->remaining < quota)
			out->reset = (limen_duration)(meter.rate.period / meter.rate.tokens + 1);
	} else {
		bool over = entry->left_since <= now / 1000;
		bool slides = meter.kind == LIMEN_METER_SLIDING;

		out->remaining = over && !slides ? quota : entry->left + entry->held;
		out->reset = over || (out->remaining > 0 && slides) ? 0 : entry->left_since - now / 1000;
	}
	out->quota = quota;
}

/* Tells what is left, and sets the cookie: who granted the take, and in which period; with 'none' nobody. */
static void
conclude(limen_store_take *take, bool none, int64_t now)
{
	const lease *entry = (const lease *)(uintptr_t)take->cookie;

	if (take->reading != NULL && entry != NULL && entry->left >= 0)
		tell(entry, now, take->reading);
	take->cookie = GRANTED_BY_LEASE;
	if (take->granted)
		take->cookie |= (uint64_t)entry->number << GRANTED_BITS;
	take->wait = take->granted && none ? 0 : take->wait;
	take->granted = take->granted && !none;
}

bool
leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
            limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	bool passes = true;
	bool none, undone;

	for (size_t i = 0; i < count; i++) {
		if (!atomic_load(&nodes_find(all->nodes, nodes_tag(all->nodes, &takes[i]))->leases))
			return false;
	}
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < count; i++) {
		take_one(all, &takes[i], now);
		passes = passes && takes[i].granted;
	}
	none = !passes && (flags & LIMEN_TAKE_ALL);
	undone = none || (flags & LIMEN_TAKE_PEEK);
	for (size_t i = 0; undone && i < count; i++) {
		lease *entry = (lease *)(uintptr_t)takes[i].cookie;

		if (takes[i].granted)
			use(entry, -takes[i].amount);
	}
	for (size_t i = 0; i < count; i++)
		conclude(&takes[i], none, now);
	pthread_mutex_unlock(&all->lock);
	*verdict = passes ? LIMEN_PASS : LIMEN_FAIL;
	return true;
}

/*
 * Undoes a use that Redis does not know of yet; otherwise returns the tokens to the bucket.  What was
 * taken in an earlier period stays used.
 */
void
leases_give(leases *all, const limen_store_take *take)
{
	int64_t now = limen_host_monotonic();
	lease *entry;

	pthread_mutex_lock(&all->lock);
	entry = lease_get(all, take, now);
	if (entry != NULL && entry->number != (int64_t)(take->cookie >> GRANTED_BITS))
		entry = NULL;
	if (entry != NULL && entry->used >= take->amount && now < entry->good_until) {
		use(entry, -take->amount);
	} else if (entry != NULL) {
		entry->given += take->amount;
		entry->none_before = 0;
		enqueue(all, entry);
	}
	pthread_mutex_unlock(&all->lock);
}

/* Tokens: held ones are kept or put back, given ones used; fewer than least are of no use. */
typedef struct lease_call {
	int64_t kept, back, given, least, wanted;
} lease_call;

/* Chooses what to ask Redis for a lease; the caller holds the lock. */
static lease_call
consider(const node *self, lease *entry, int64_t now)
{
	lease_call plan = { .given = entry->given };

	forget_lapsed(entry, now);
	entry->target = find_target(self->all->leases, entry);
	if (self->leaving || now - entry->touched >= self->lasts / 2) {
		plan.back = entry->held;
		return plan;
	}
	/* After a burst the lease may hold more than this process will use. */
	if (entry->held > entry->target * 2 && entry->wanted <= entry->target)
		plan.back = entry->held - entry->target;
	plan.kept = entry->held - plan.back;
	plan.least = MAX(entry->wanted - plan.kept, 0);
	plan.wanted = MAX(entry->target - plan.kept, plan.least);
	return plan;
}

/*
 * Writes the call for 'entry', which is in flight from then on, and has the state that Redis will
 * have after it.  Returns false if there is nothing to ask.
 */
static bool
ask(node *self, lease *entry, int64_t now)
{
	lease_call plan = consider(self, entry, now);
	const int64_t more[] = { plan.kept,   plan.back,          plan.given,  plan.least,
		                 plan.wanted, self->lasts / 1000, entry->number };
	limen_store_take bucket = { .table = entry->table, .key = entry->key,
		                    .key_length = entry->key_length };
	wire *to = self->wire;

	entry->queued = false;
	entry->in_flight = plan.kept + plan.back + plan.given + plan.wanted > 0;
	if (!entry->in_flight)
		return false;
	if (entry->asked != NULL) {
		entry->asked = NULL;
		self->asking++;
		wire_begin(to, 1);
		wire_text(to, "ASKING");
	}
	call_begin(to, self->options, to->sha[SCRIPT_LEASE], entry->tag, 1, 11 + CALL_METER);
	call_bucket(to, self->options, entry->tag, &bucket);
	nodes_state(self->all, to, entry->tag);
	wire_text(to, self->client);
	call_meter(to, &entry->table->meter);
	for (int i = 0; i < 7; i++)
		wire_number(to, more[i]);
	entry->held = plan.kept;
	entry->used = entry->given = entry->wanted = 0;
	entry->requested = plan.kept + plan.wanted;
	return true;
}

/*
 * Adds granted tokens to a lease, and notes when to ask Redis next, and what the bucket has.  The
 * connection fails if the answers are nonsense.
 */
static void
credit(node *self, lease *entry, redisReply *const *answers)
{
	const limen_rate *rate = &entry->table->meter.rate;
	int64_t now = limen_host_monotonic();
	int64_t lapsed = answers[0]->integer, granted = answers[1]->integer;
	int64_t wait = answers[2]->integer, number = answers[5]->integer;
	int64_t lasts = answers[6]->integer * 1000;

	if (lapsed < 0 || lapsed > 1 || granted < 0 || granted > entry->requested) {
		wire_fail_reply(self->wire, NULL);
		return;
	}
	if (lapsed)
		entry->held = entry->used = 0;
	entry->held += granted;
	/* Leases of a period end with it. */
	entry->good_until = self->sent_at + MIN(lasts, self->lasts);
	if (entry->number != number)
		entry->given = 0;
	entry->number = number;
	entry->told = now;
	entry->left = answers[3]->integer;
	entry->left_since = now / 1000 + answers[4]->integer;
	if (entry->table->meter.kind == LIMEN_METER_TOKEN)
		entry->left_since -= (limen_time)((rate->period - 1) / rate->tokens + 1);
	/* SCRIPT_UNITS_MAX bounds the wait; -1 is for ever. */
	entry->none_before = wait < 0 ? INT64_MAX / 2 : now + wait * 1000;
	if (entry->wanted > entry->held && now >= entry->none_before)
		enqueue(self->all->leases, entry);
}

/*
 * Asks again at 'next', where the bucket is, or later: Redis has no memory, or moves the slot, and
 * changed nothing: it still has set aside what the lease held.  What would have been put back is lost.
 */
static void
put_off(leases *all, lease *entry, node *next, bool asks, limen_duration wait)
{
	entry->redirected = next == NULL ? 0 : (uint8_t)(entry->redirected + 1) % REDIRECTIONS;
	if (entry->redirected > 0) {
		entry->asked = asks ? next : NULL;
		enqueue(all, entry);
	} else {
		entry->told = limen_host_monotonic();
		entry->none_before = entry->told + wait * 1000;
	}
}

/* Reads the answer; false if it is malformed: the connection has then failed. */
static bool
take_answer(node *self, lease *entry, const redisReply *reply)
{
	leases *all = self->all->leases;
	bool asks = false, full = answer_is_error(reply, ERROR_FULL);
	node *next = nodes_follow(self->all, self, entry->tag, reply, &asks);
	bool answered = next == NULL && !full && !answer_is_error(reply, ERROR_EARLY);

	if (answered && !answer_check(self->wire, reply, 7))
		return false;
	pthread_mutex_lock(&all->lock);
	entry->in_flight = false;
	if (answered)
		credit(self, entry, reply->element);
	else
		put_off(all, entry, next, asks, full ? NODE_FULL_WAIT : TICK_MS * 1000);
	pthread_mutex_unlock(&all->lock);
	if (full)
		node_full(self);
	if (answered)
		atomic_store(&self->all->seen[entry->tag], true);
	if (answered && !self->wire->failed && reply->element[1]->integer > 0)
		node_wrote(self, self->wire);
	return !self->wire->failed;
}

static void
ask_next(node *self)
{
	int64_t now = limen_host_monotonic();
	lease *entry;

	if (self->flight_count > 0)
		return;
	self->answered = 0;
	self->sent_at = now;
	while (self->flight_count < LEASE_BATCH &&
	       (entry = leases_next(self->all->leases, self)) != NULL) {
		pthread_mutex_lock(&self->all->leases->lock);
		if (ask(self, entry, now))
			self->flight[self->flight_count++] = entry;
		pthread_mutex_unlock(&self->all->leases->lock);
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
	const node *self = data, *at = entry->node;
	int64_t now = limen_host_monotonic();
	int64_t half = self->lasts / 2;
	bool idle = now - entry->touched >= half;

	/* That of a node that cannot be asked comes back empty, if at all. */
	if (entry->queued || entry->in_flight || (at != NULL && !atomic_load(&at->leases)))
		return true;
	forget_lapsed(entry, now);
	if (idle && entry->held + entry->given == 0)
		return false;
	if (idle || (entry->held < entry->target && now >= entry->none_before) ||
	    (entry->held > 0 && now - entry->told >= half))
		enqueue(self->all->leases, entry);
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
		node_touch(self, self->wire);
}

static void
talk(node *self)
{
	wire *to = self->wire;
	uint64_t id[2] = { (uint64_t)getpid(), (uint64_t)limen_host_monotonic() };

	/* It names the leases: late commands of an old connection cannot change new ones. */
	(void)!getrandom(id, sizeof(id), GRND_NONBLOCK);
	snprintf(self->client, sizeof(self->client), "l%016" PRIx64 "%016" PRIx64, id[0], id[1]);
	self->flight_count = self->asking = 0;
	self->leaving = false;
	atomic_store(&self->leases, true);
	limen_host_set_ready(self->host, true);
	while (!to->failed && !limen_host_stopping(self->host) && atomic_load(&self->used)) {
		bool busy;
		short events = POLLIN;

		ask_next(self);
		wire_flush(to);
		if (to->out.length > 0)
			events = POLLIN | POLLOUT;
		/* Adding a lease wakes this thread. */
		busy = self->flight_count > 0 || atomic_load(&self->all->leases->count) > 0;
		if (!to->failed && node_wait(self, to->fd, events, busy ? TICK_MS : node_touch_wait(self)) &&
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
queue_all(void *data, lease *entry)
{
	node *self = data;

	if (entry->node == self)
		enqueue(self->all->leases, entry);
	return true;
}

/* Returns all leases to Redis, within LEAVE_WITHIN. */
static void
leave(node *self)
{
	limen_deadline deadline = limen_host_monotonic() + LEAVE_WITHIN;

	if (!finish_flight(self, deadline))
		return;
	self->leaving = true;
	leases_each(self->all->leases, queue_all, self);
	do {
		ask_next(self);
	} while (self->flight_count > 0 && finish_flight(self, deadline));
}

/* After a lost connection, held tokens count as used: they may have been put back. */
void
leases_run(void *data)
{
	node *self = data;

	while (!limen_host_stopping(self->host)) {
		if (!atomic_load(&self->used)) {
			move_queue(self->all->leases, self);
			node_park(self);
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
