/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync.c - the thread that talks about leases.  At most one pipeline is in flight; what
 * is queued meanwhile makes the next.
 */
#include "sync.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

/* How often all leases are looked through, while there are any. */
#define TICK_MS 50

/* How long closing may take. */
#define LEAVE_WITHIN 200000000

/*
 * A new connection has leases of its own: what the old one still says of its
 * leases, should Redis hear it later, is about others.
 */
static void
choose_client(sync_state *one)
{
	uint64_t id[2] = { (uint64_t)getpid(), (uint64_t)limen_host_monotonic() };

	(void)!getrandom(id, sizeof(id), GRND_NONBLOCK);
	snprintf(one->client, sizeof(one->client), "l%016" PRIx64 "%016" PRIx64, id[0], id[1]);
}

/* ---- one question ---- */

typedef struct question {
	int64_t kept;
	int64_t back;   /* put back, of what was held */
	int64_t given;  /* back, of what was used */
	int64_t least;  /* fewer are of no use */
	int64_t wanted;
} question;

/* Chooses what to ask Redis for a lease; the caller holds the lock. */
static question
consider(const sync_state *one, lease *which, int64_t now, bool leaving)
{
	question what = { .given = which->given };

	lease_forget_lapsed(which, now);
	which->target = leases_target(one->leases, which);
	if (leaving || now - which->touched >= one->lasts / 2) {
		what.back = which->held;
		return what;
	}
	/* After a rush there may be more than will be of use to this process. */
	if (which->held > which->target * 2 && which->wanted <= which->target)
		what.back = which->held - which->target;
	what.kept = which->held - what.back;
	if (which->wanted > what.kept)
		what.least = which->wanted - what.kept;
	if (which->target > what.kept)
		what.wanted = which->target - what.kept;
	if (what.wanted < what.least)
		what.wanted = what.least;
	return what;
}

static void
write_question(sync_state *one, const lease *which, const question *what)
{
	wire *to = one->wire;

	call_begin(to, one->asked, SCRIPT_LEASE, 1, 13);
	wire_pair(to, which->table->prefix, which->table->prefix_length, which->key,
	          which->key_length);
	call_state(to, one->asked);
	wire_text(to, one->client);
	call_rate(to, which->table);
	wire_number(to, what->kept);
	wire_number(to, what->back);
	wire_number(to, what->given);
	wire_number(to, what->least);
	wire_number(to, what->wanted);
	wire_number(to, one->lasts / 1000);
}

/* From here on the lease is what Redis will believe it to be. */
static void
note_asked(lease *which, const question *what)
{
	which->held = what->kept;
	which->used = 0;
	which->given = 0;
	which->wanted = 0;
	which->asked = what->kept + what->wanted;
	which->in_flight = true;
}

/*
 * Writes a question about 'which', which is in flight from then on.  With
 * 'leaving' everything is put back.  Returns false if there is nothing to ask.
 */
static bool
ask(sync_state *one, lease *which, int64_t now, bool leaving)
{
	lease_shard *shard = leases_shard(one->leases, which->hash);
	question what;
	bool asks;

	pthread_mutex_lock(&shard->lock);
	which->queued = false;
	what = consider(one, which, now, leaving);
	asks = what.kept + what.back + what.given + what.wanted > 0;
	if (asks) {
		write_question(one, which, &what);
		note_asked(which, &what);
	}
	pthread_mutex_unlock(&shard->lock);
	return asks;
}

/* Adds granted tokens to a lease, and sets when to ask Redis next. */
static void
credit(sync_state *one, lease *which, bool lapsed, int64_t granted, int64_t wait)
{
	int64_t now = limen_host_monotonic();

	if (lapsed) {
		which->held = 0;
		which->used = 0;
	}
	which->held += granted;
	which->good_until = one->sent_at + one->lasts;
	which->told = now;
	which->none_before = 0;
	if (wait < 0 || wait > INT64_MAX / 2000)
		which->none_before = INT64_MAX / 2;
	else if (wait > 0)
		which->none_before = now + wait * 1000;
	if (which->wanted > which->held && now >= which->none_before)
		leases_queue(one->leases, which);
}

/* Takes the answer over; false if it is malformed, and the connection has then failed. */
static bool
take_answer(sync_state *one, lease *which, const redisReply *reply)
{
	lease_shard *shard = leases_shard(one->leases, which->hash);
	int64_t lapsed, granted;

	if (!answer_check(one->wire, reply, 3))
		return false;
	lapsed = reply->element[0]->integer;
	granted = reply->element[1]->integer;
	pthread_mutex_lock(&shard->lock);
	which->in_flight = false;
	if (lapsed < 0 || lapsed > 1 || granted < 0 || granted > which->asked)
		wire_fail_answer(one->wire);
	else
		credit(one, which, lapsed == 1, granted, reply->element[2]->integer);
	pthread_mutex_unlock(&shard->lock);
	if (!one->wire->failed && granted > 0)
		reach_wrote(one->reach, one->wire);
	return !one->wire->failed;
}

/* ---- questions and answers ---- */

static void
ask_next(sync_state *one, bool leaving)
{
	int64_t now = limen_host_monotonic();
	lease *which;

	if (one->flight_count > 0)
		return;
	one->answered = 0;
	one->sent_at = now;
	while (one->flight_count < SYNC_BATCH) {
		which = leases_next(one->leases);
		if (which == NULL)
			return;
		if (ask(one, which, now, leaving))
			one->flight[one->flight_count++] = which;
	}
}

static void
read_answers(sync_state *one)
{
	while (one->answered < one->flight_count) {
		redisReply *reply = wire_next(one->wire);

		if (reply == NULL)
			return;
		if (take_answer(one, one->flight[one->answered++], reply))
			atomic_store(&one->asked->has_seen_mark, true);
		freeReplyObject(reply);
	}
	one->flight_count = 0;
}

/* Returns idle leases to Redis, renews used ones, and forgets the rest. */
static bool
look_after(void *data, lease *which)
{
	sync_state *one = data;
	int64_t now = limen_host_monotonic();
	int64_t half = one->lasts / 2;
	bool idle = now - which->touched >= half;
	bool wants = which->held < which->target && now >= which->none_before;

	if (which->queued || which->in_flight)
		return true;
	lease_forget_lapsed(which, now);
	if (idle && which->held + which->given == 0)
		return false;
	if (idle || wants || (which->held > 0 && now - which->told >= half))
		leases_queue(one->leases, which);
	return true;
}

static void
look(sync_state *one)
{
	int64_t now = limen_host_monotonic();

	if (now - one->looked_at < TICK_MS * INT64_C(1000000))
		return;
	one->looked_at = now;
	if (one->flight_count > 0 && now - one->sent_at > one->asked->timeout * 1000)
		wire_fail(one->wire, "no answer in time");
	else
		leases_each(one->leases, look_after, one);
}

/* ---- one connection ---- */

static void
talk(sync_state *one)
{
	wire *to = one->wire;

	choose_client(one);
	one->flight_count = 0;
	atomic_store(&one->leases->up, true);
	limen_host_set_ready(one->reach->host, true);
	while (!to->failed && !limen_host_stopping(one->reach->host)) {
		bool busy;
		short events = POLLIN;

		ask_next(one, false);
		wire_flush(to);
		if (to->out_length > 0)
			events = POLLIN | POLLOUT;
		/* Adding a lease wakes this thread. */
		busy = one->flight_count > 0 || atomic_load(&one->leases->count) > 0;
		if (!to->failed && reach_wait(one->reach, one->leases->wake, to->context->fd, events,
		                              busy ? TICK_MS : -1) && wire_read(to))
			read_answers(one);
		atomic_store(&one->leases->awake, false);
		look(one);
	}
}

/* The answers to what is in flight, until 'deadline'. */
static bool
finish_flight(sync_state *one, int64_t deadline)
{
	while (one->answered < one->flight_count) {
		redisReply *reply = wire_wait(one->wire, deadline, NULL);
		bool good = reply != NULL &&
		            take_answer(one, one->flight[one->answered++], reply);

		if (reply != NULL)
			freeReplyObject(reply);
		if (!good)
			return false;
	}
	one->flight_count = 0;
	return true;
}

static bool
queue(void *data, lease *which)
{
	leases_queue(data, which);
	return true;
}

/* Puts back what is held, if that takes no time. */
static void
leave(sync_state *one)
{
	int64_t deadline = limen_host_monotonic() + LEAVE_WITHIN;

	if (!finish_flight(one, deadline))
		return;
	leases_each(one->leases, queue, one->leases);
	do {
		ask_next(one, true);
	} while (one->flight_count > 0 && finish_flight(one, deadline));
}

/* After a lost connection, held tokens count as used: they may have been put back. */
static void
run(void *data)
{
	sync_state *one = data;

	while (!limen_host_stopping(one->reach->host)) {
		one->wire = reach_connect(one->reach);
		if (one->wire == NULL) {
			limen_host_set_ready(one->reach->host, true);
			continue;
		}
		talk(one);
		atomic_store(&one->leases->up, false);
		if (one->wire->failed)
			reach_lost(one->reach, one->wire, one->flight_count > 0);
		else
			leave(one);
		wire_close(one->wire);
		leases_empty(one->leases);
	}
}

bool
sync_open(sync_state *one, leases *all, settings *asked, reach *where)
{
	*one = (sync_state){
		.leases = all,
		.asked = asked,
		.reach = where,
		.lasts = asked->lease_time * 1000,
	};
	return limen_host_run(where->host, run, one) == LIMEN_OK;
}
