/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync.c - the events of the background thread.  At most one pipeline is in
 * flight; what is queued meanwhile makes the next.
 */
#include "sync.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* How often all leases are looked through, while there are any. */
#define TICK 50000000

/* How long closing may take. */
#define LEAVE_WITHIN 200000000

enum {
	EVENT_WAKE,
	EVENT_TIMER,
	EVENT_WIRE
};

static bool
watch(const sync_state *one, int operation, int fd, uint32_t events, uint32_t what)
{
	struct epoll_event event = { .events = events, .data.u32 = what };

	return epoll_ctl(one->events, operation, fd, &event) == 0;
}

static void
tick(sync_state *one, bool on)
{
	struct itimerspec every = { .it_interval.tv_nsec = TICK, .it_value.tv_nsec = TICK };

	if (one->ticking == on)
		return;
	if (!on)
		every = (struct itimerspec){ .it_interval.tv_nsec = 0 };
	one->ticking = timerfd_settime(one->timer, 0, &every, NULL) == 0 ? on : one->ticking;
}

/* ---- the connection ---- */

static bool
wants_wire(void *data)
{
	return !atomic_load(&((sync_state *)data)->connected);
}

static void
adopt(void *data, wire *made)
{
	sync_state *one = data;
	uint64_t count = 1;

	atomic_store(&one->adopted, made);
	atomic_store(&one->connected, true);
	atomic_store(&one->leases->up, true);
	(void)!write(one->leases->wake, &count, sizeof(count));
}

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

static void
see_adopted(sync_state *one)
{
	wire *made = atomic_exchange(&one->adopted, NULL);

	if (made == NULL)
		return;
	one->wire = made;
	one->writing = false;
	choose_client(one);
	if (!watch(one, EPOLL_CTL_ADD, made->context->fd, EPOLLIN, EVENT_WIRE))
		wire_fail(made, "%s", limen_result_text(LIMEN_ENOMEM));
}

/* What was held cannot be told from what was put back meanwhile: it counts as used. */
static void
lose(sync_state *one)
{
	atomic_store(&one->leases->up, false);
	reach_lost(one->reach, one->wire, one->flight_count > 0);
	wire_close(one->wire);
	one->wire = NULL;
	one->flight_count = 0;
	leases_empty(one->leases);
	tick(one, false);
	atomic_store(&one->connected, false);
	reach_start(one->reach);
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
		if (sync_ask(one, which, now, leaving))
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
		sync_answer(one, one->flight[one->answered++], reply);
		freeReplyObject(reply);
		if (one->wire->failed)
			return;
		atomic_store(&one->rules->has_seen_mark, true);
	}
	one->flight_count = 0;
}

/* What is idle is put back, what is used is kept good, the rest forgotten. */
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
on_timer(sync_state *one)
{
	uint64_t ignored;

	(void)!read(one->timer, &ignored, sizeof(ignored));
	if (one->wire == NULL)
		return;
	if (one->flight_count > 0 &&
	    limen_host_monotonic() - one->sent_at > one->rules->timeout)
		wire_fail(one->wire, "no answer in time");
	else
		leases_each(one->leases, look_after, one);
	/* Whoever adds a lease wakes this thread. */
	if (atomic_load(&one->leases->count) == 0)
		tick(one, false);
}

static void
on_event(sync_state *one, uint32_t what)
{
	uint64_t ignored;

	if (what == EVENT_WAKE) {
		(void)!read(one->leases->wake, &ignored, sizeof(ignored));
		atomic_store(&one->leases->awake, false);
		see_adopted(one);
	} else if (what == EVENT_TIMER) {
		on_timer(one);
	} else if (one->wire != NULL && wire_read(one->wire)) {
		read_answers(one);
	}
}

static void
go_on(sync_state *one)
{
	bool writing;

	if (!one->wire->failed) {
		ask_next(one, false);
		wire_flush(one->wire);
	}
	if (one->wire->failed) {
		lose(one);
		return;
	}
	writing = one->wire->out_length > 0;
	if (writing != one->writing)
		watch(one, EPOLL_CTL_MOD, one->wire->context->fd, EPOLLIN | (writing ? EPOLLOUT : 0U),
		      EVENT_WIRE);
	one->writing = writing;
	tick(one, one->flight_count > 0 || atomic_load(&one->leases->count) > 0);
}

static void
on_ready(void *data)
{
	sync_state *one = data;
	struct epoll_event ready[4];
	int count = epoll_wait(one->events, ready, 4, 0);

	for (int i = 0; i < count; i++)
		on_event(one, ready[i].data.u32);
	if (one->wire != NULL)
		go_on(one);
}

/* ---- beginning and end ---- */

bool
sync_open(sync_state *one, leases *all, rules *how, reach *where, limen_host *host,
          limen_duration lasts)
{
	*one = (sync_state){
		.leases = all,
		.rules = how,
		.reach = where,
		.host = host,
		.lasts = lasts * 1000,
		.events = epoll_create1(EPOLL_CLOEXEC),
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
	};
	where->seeker = (seeker){ wants_wire, adopt, NULL, one };
	/* The engine owns the descriptor from here on, whatever comes of it. */
	if (one->events >= 0 &&
	    limen_host_watch_fd(host, one->events, on_ready, one) == LIMEN_OK &&
	    one->timer >= 0 && watch(one, EPOLL_CTL_ADD, all->wake, EPOLLIN, EVENT_WAKE) &&
	    watch(one, EPOLL_CTL_ADD, one->timer, EPOLLIN, EVENT_TIMER))
		return true;
	sync_close(one);
	return false;
}

static bool
queue_all(void *data, lease *which)
{
	leases_queue(data, which);
	return true;
}

/* The answers to what is in flight, and to what is asked now, until 'deadline'. */
static bool
finish_flight(sync_state *one, int64_t deadline)
{
	while (one->answered < one->flight_count) {
		redisReply *reply = wire_wait(one->wire, deadline, NULL);
		bool good = reply != NULL &&
		            sync_answer(one, one->flight[one->answered++], reply);

		if (reply != NULL)
			freeReplyObject(reply);
		if (!good)
			return false;
	}
	one->flight_count = 0;
	return true;
}

static void
leave(sync_state *one)
{
	int64_t deadline = limen_host_monotonic() + LEAVE_WITHIN;

	if (!finish_flight(one, deadline))
		return;
	leases_each(one->leases, queue_all, one->leases);
	do {
		ask_next(one, true);
	} while (one->flight_count > 0 && finish_flight(one, deadline));
}

void
sync_close(sync_state *one)
{
	if (one->wire != NULL)
		leave(one);
	wire_close(one->wire);
	wire_close(one->adopted);
	if (one->timer >= 0)
		close(one->timer);
}
