/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strict.c - connections are made by a thread of their own, never by a decision:
 * one that finds none does not wait for Redis to come back.  It waits a moment if all
 * were ended because they were idle, as Redis is well then.
 */
#include "strict.h"

#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* ---- connections ---- */

/* Makes connections while there are fewer than wanted; decisions that wait are told. */
static void
run(void *data)
{
	strict *one = data;

	while (!limen_host_stopping(one->reach->host)) {
		wire *made;

		if (strict_up(one) == one->wanted) {
			reach_wait(one->reach, one->wake, -1, 0, -1);
			continue;
		}
		made = reach_connect(one->reach);
		pthread_mutex_lock(&one->lock);
		one->renewed_by = 0;
		if (made != NULL) {
			one->idle[one->idle_count++] = made;
			one->up++;
		}
		pthread_cond_broadcast(&one->freed);
		pthread_mutex_unlock(&one->lock);
		limen_host_set_ready(one->reach->host, true);
	}
}

bool
strict_open(strict *one, settings *asked, reach *where)
{
	pthread_condattr_t attributes;

	*one = (strict){ .asked = asked, .reach = where, .wanted = (size_t)asked->connections };
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&one->freed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&one->lock, NULL);
	one->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (one->wake >= 0 && limen_host_run(where->host, run, one) == LIMEN_OK)
		return true;
	strict_close(one);
	return false;
}

/* The caller has the lock. */
static void
close_idle(strict *one)
{
	one->up -= one->idle_count;
	while (one->idle_count > 0)
		wire_close(one->idle[--one->idle_count]);
}

void
strict_close(strict *one)
{
	close_idle(one);
	if (one->wake >= 0)
		close(one->wake);
	pthread_cond_destroy(&one->freed);
	pthread_mutex_destroy(&one->lock);
}

size_t
strict_up(strict *one)
{
	size_t up;

	pthread_mutex_lock(&one->lock);
	up = one->up;
	pthread_mutex_unlock(&one->lock);
	return up;
}

/* The caller has the lock.  False at 'deadline', or if there is nothing to wait for. */
static bool
wait_for_idle(strict *one, int64_t deadline)
{
	int64_t end = one->up > 0 || deadline < one->renewed_by ? deadline : one->renewed_by;
	struct timespec until = {
		.tv_sec = (time_t)(end / 1000000000),
		.tv_nsec = (long)(end % 1000000000),
	};

	return limen_host_monotonic() < end &&
	       pthread_cond_timedwait(&one->freed, &one->lock, &until) == 0;
}

static wire *
find_idle(strict *one, int64_t deadline)
{
	wire *found = NULL;

	pthread_mutex_lock(&one->lock);
	while (one->idle_count == 0 && wait_for_idle(one, deadline))
		;
	if (one->idle_count > 0)
		found = one->idle[--one->idle_count];
	pthread_mutex_unlock(&one->lock);
	return found;
}

/*
 * Closes a connection that has ended, 'asked' while a question was under way.  In that
 * case idle ones may have ended, too.  If the end was no loss, another connection is made
 * soon, which may take half the time of an answer: the other half is for the question.
 */
static void
drop(strict *one, wire *ended, bool asked)
{
	bool lost = reach_lost(one->reach, ended, asked);
	uint64_t count = 1;

	wire_close(ended);
	pthread_mutex_lock(&one->lock);
	one->up--;
	if (asked)
		close_idle(one);
	if (one->up == 0 && !lost)
		one->renewed_by = limen_host_monotonic() + one->asked->timeout * 1000 / 2;
	pthread_cond_broadcast(&one->freed);
	pthread_mutex_unlock(&one->lock);
	(void)!write(one->wake, &count, sizeof(count));
}

/* An idle connection; NULL if there is none until 'deadline', or none at all. */
static wire *
borrow(strict *one, int64_t deadline)
{
	wire *found = find_idle(one, deadline);

	while (found != NULL && !wire_check_idle(found)) {
		drop(one, found, false);
		found = find_idle(one, deadline);
	}
	return found;
}

static void
return_wire(strict *one, wire *used)
{
	if (used->failed) {
		drop(one, used, true);
		return;
	}
	pthread_mutex_lock(&one->lock);
	one->idle[one->idle_count++] = used;
	pthread_cond_signal(&one->freed);
	pthread_mutex_unlock(&one->lock);
}

/* ---- calls ---- */

/* A batch of takes, or one take to give back. */
typedef struct question {
	script_id script;
	const limen_store_take *takes;
	size_t count;
	unsigned flags;
} question;

/* Writes the call; with 'by_text' it brings the script along. */
static void
write_call(const strict *one, wire *to, const question *what, bool by_text)
{
	size_t arguments = 3 + 4 * what->count + (what->script == SCRIPT_TAKE ? 2 : 0);

	if (by_text)
		call_begin_text(to, one->asked, script_texts[what->script], what->count, arguments);
	else
		call_begin(to, one->asked, what->script, what->count, arguments);
	for (size_t i = 0; i < what->count; i++) {
		const book *table = what->takes[i].table;

		wire_pair(to, table->prefix, table->prefix_length, what->takes[i].key,
		          what->takes[i].key_length);
	}
	call_state(to, one->asked);
	if (what->script == SCRIPT_TAKE) {
		wire_text(to, (what->flags & LIMEN_TAKE_ALL) ? "1" : "0");
		wire_text(to, (what->flags & LIMEN_TAKE_PEEK) ? "1" : "0");
	}
	for (size_t i = 0; i < what->count; i++) {
		call_rate(to, what->takes[i].table);
		call_amount(to, what->takes[i].table, what->takes[i].amount);
	}
}

static bool
is_unknown_script(const redisReply *reply)
{
	return reply != NULL && reply->type == REDIS_REPLY_ERROR &&
	       strncmp(reply->str, "NOSCRIPT", 8) == 0;
}

/* Calls a script by its hash, or by its text if Redis was told to forget its scripts. */
static redisReply *
call(const strict *one, wire *used, const question *what, int64_t deadline)
{
	redisReply *reply;

	write_call(one, used, what, false);
	reply = wire_wait(used, deadline, NULL);
	if (!is_unknown_script(reply))
		return reply;
	freeReplyObject(reply);
	write_call(one, used, what, true);
	return wire_wait(used, deadline, NULL);
}

/* In a batch of which all or none are granted, one refusal leaves the others nothing. */
static limen_verdict
answer(limen_store_take *takes, const redisReply *reply, size_t count, unsigned flags)
{
	bool granted = true;

	for (size_t i = 0; i < count; i++)
		granted = granted && reply->element[i * 2]->integer == 1;
	for (size_t i = 0; i < count; i++) {
		bool good = reply->element[i * 2]->integer == 1;

		takes[i].granted = good && (granted || !(flags & LIMEN_TAKE_ALL));
		takes[i].wait = good ? GRANTED_BY_REDIS : reply->element[i * 2 + 1]->integer;
	}
	return granted ? LIMEN_PASS : LIMEN_FAIL;
}

/* Refusals and peeks are answered also by a Redis that has no memory left for more. */
static bool
has_written(const limen_store_take *takes, size_t count, unsigned flags)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any = any || takes[i].granted;
	return any && !(flags & LIMEN_TAKE_PEEK);
}

static bool
take_over(strict *one, wire *used, limen_store_take *takes, size_t count, unsigned flags,
          int64_t deadline, limen_verdict *verdict)
{
	const question what = { SCRIPT_TAKE, takes, count, flags };
	redisReply *reply = call(one, used, &what, deadline);
	bool good = reply != NULL && answer_check(used, reply, count * 2);

	if (good) {
		*verdict = answer(takes, reply, count, flags);
		atomic_store(&one->asked->has_seen_mark, true);
		if (has_written(takes, count, flags))
			reach_wrote(one->reach, used);
	}
	if (reply != NULL)
		freeReplyObject(reply);
	return_wire(one, used);
	return good;
}

/*
 * Waits for an answer that is under way even past the deadline of this take: a short
 * deadline says nothing about Redis, and closing the connection would make all other
 * takes treat Redis as unreachable.
 */
bool
strict_take(strict *one, limen_store_take *takes, size_t count, unsigned flags,
            int64_t deadline, limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	int64_t until = now + one->asked->timeout * 1000;
	wire *used = now < deadline ? borrow(one, deadline < until ? deadline : until) : NULL;
	bool good = used != NULL && take_over(one, used, takes, count, flags, until, verdict);

	if (limen_host_monotonic() < deadline)
		return good;
	/* Nothing stands in for the end of the decision. */
	*verdict = LIMEN_ERROR;
	return true;
}

void
strict_give(strict *one, const limen_store_take *take)
{
	const question what = { SCRIPT_GIVE, take, 1, 0 };
	int64_t deadline = limen_host_monotonic() + one->asked->timeout * 1000;
	wire *used = borrow(one, deadline);
	redisReply *reply;

	if (used == NULL)
		return;
	reply = call(one, used, &what, deadline);
	if (reply != NULL && reply->type != REDIS_REPLY_INTEGER)
		wire_fail_reply(used, reply);
	if (reply != NULL)
		freeReplyObject(reply);
	return_wire(one, used);
}
