/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strict.c - connections are made by the engine's workers, never by a decision:
 * one that finds none does not wait for Redis to come back.  It waits a moment if all
 * were ended because they were idle, as Redis is well then.
 */
#include "strict.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORDS_OF_TAKE 4 /* rate and amount */

/* ---- connections ---- */

static bool
wants_more(void *data)
{
	strict *one = data;
	bool wants;

	pthread_mutex_lock(&one->lock);
	wants = one->up < one->wanted;
	pthread_mutex_unlock(&one->lock);
	return wants;
}

static void
adopt(void *data, wire *made)
{
	strict *one = data;

	pthread_mutex_lock(&one->lock);
	one->idle[one->idle_count++] = made;
	one->up++;
	one->renewed_by = 0;
	pthread_cond_signal(&one->freed);
	pthread_mutex_unlock(&one->lock);
}

/* Whoever waits for it need not any longer. */
static void
miss(void *data)
{
	strict *one = data;

	pthread_mutex_lock(&one->lock);
	one->renewed_by = 0;
	pthread_cond_broadcast(&one->freed);
	pthread_mutex_unlock(&one->lock);
}

bool
strict_open(strict *one, rules *how, reach *where, size_t wires)
{
	pthread_condattr_t attributes;
	bool made;

	*one = (strict){ .rules = how, .reach = where, .wanted = wires };
	if (pthread_condattr_init(&attributes) != 0)
		return false;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	made = pthread_cond_init(&one->freed, &attributes) == 0;
	pthread_condattr_destroy(&attributes);
	if (!made)
		return false;
	pthread_mutex_init(&one->lock, NULL);
	reach_add(where, (seeker){ wants_more, adopt, miss, one });
	return true;
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
	if (wants_more(one))
		reach_start(one->reach);
	return found;
}

/*
 * For one that ended while nobody used it.  If that was no loss, another is there soon,
 * which may take half the time of an answer: the other half is for the question.
 */
static void
replace(strict *one, wire *ended)
{
	bool soon = !reach_lost(one->reach, ended, false);

	wire_close(ended);
	pthread_mutex_lock(&one->lock);
	one->up--;
	if (one->up == 0 && soon)
		one->renewed_by = limen_host_monotonic() + one->rules->timeout / 2;
	pthread_cond_broadcast(&one->freed);
	pthread_mutex_unlock(&one->lock);
	reach_start(one->reach);
}

/* An idle connection; NULL if there is none until 'deadline', or none at all. */
static wire *
borrow(strict *one, int64_t deadline)
{
	wire *found = find_idle(one, deadline);

	while (found != NULL && !wire_check_idle(found)) {
		replace(one, found);
		found = find_idle(one, deadline);
	}
	return found;
}

/* Where one connection has failed, those that nobody uses may have, too. */
static void
give_up(strict *one, wire *failed)
{
	reach_lost(one->reach, failed, true);
	wire_close(failed);
	pthread_mutex_lock(&one->lock);
	one->up--;
	close_idle(one);
	pthread_cond_broadcast(&one->freed);
	pthread_mutex_unlock(&one->lock);
	reach_start(one->reach);
}

static void
return_wire(strict *one, wire *used)
{
	if (used->failed) {
		give_up(one, used);
		return;
	}
	pthread_mutex_lock(&one->lock);
	one->idle[one->idle_count++] = used;
	pthread_cond_signal(&one->freed);
	pthread_mutex_unlock(&one->lock);
}

/* ---- calls ---- */

static bool
is_unknown_script(const redisReply *reply)
{
	return reply != NULL && reply->type == REDIS_REPLY_ERROR &&
	       strncmp(reply->str, "NOSCRIPT", 8) == 0;
}

/* Calls 'which' by its hash, or by its text if Redis was told to forget its scripts. */
static redisReply *
call(wire *used, command *what, script_id which, int64_t deadline)
{
	redisReply *reply = NULL;

	if (!wire_queue(used, what->count, what->words, what->lengths))
		return NULL;
	reply = wire_wait(used, deadline, NULL);
	if (!is_unknown_script(reply))
		return reply;
	freeReplyObject(reply);
	what->words[0] = "EVAL";
	what->lengths[0] = 4;
	what->words[1] = script_texts[which];
	what->lengths[1] = strlen(script_texts[which]);
	if (!wire_queue(used, what->count, what->words, what->lengths))
		return NULL;
	return wire_wait(used, deadline, NULL);
}

/* Room for the words of a batch and the texts they point to. */
typedef struct batch {
	command command;
	char (*amounts)[NUMBER_MAX];
	char *keys;
	int64_t *answers;
} batch;

static bool
batch_open(batch *out, const limen_store_take *takes, size_t count)
{
	size_t words = WORDS_BEFORE_KEYS + WORDS_AFTER_KEYS + 2 + count * (WORDS_OF_TAKE + 1);
	size_t keys = 1;

	*out = (batch){ .keys = NULL };
	for (size_t i = 0; i < count; i++)
		keys += ((const book *)takes[i].table)->prefix_length + takes[i].key_length;
	out->command.words = calloc(words, sizeof(*out->command.words));
	out->command.lengths = calloc(words, sizeof(*out->command.lengths));
	out->amounts = calloc(count, sizeof(*out->amounts));
	out->answers = calloc(count * 2, sizeof(*out->answers));
	out->keys = malloc(keys);
	return out->command.words != NULL && out->command.lengths != NULL &&
	       out->amounts != NULL && out->answers != NULL && out->keys != NULL;
}

static void
batch_close(batch *one)
{
	free(one->command.words);
	free(one->command.lengths);
	free(one->amounts);
	free(one->answers);
	free(one->keys);
}

static void
add_keys(batch *out, const limen_store_take *takes, size_t count)
{
	char *at = out->keys;

	for (size_t i = 0; i < count; i++) {
		const book *table = takes[i].table;

		memcpy(at, table->prefix, table->prefix_length);
		memcpy(at + table->prefix_length, takes[i].key, takes[i].key_length);
		command_add(&out->command, at, table->prefix_length + takes[i].key_length);
		at += table->prefix_length + takes[i].key_length;
	}
}

static void
write_take(batch *out, const strict *one, const wire *to, const limen_store_take *takes,
           size_t count, unsigned flags)
{
	command *what = &out->command;

	command_begin(what, one->rules, to, SCRIPT_TAKE, count);
	add_keys(out, takes, count);
	command_rules(what, one->rules, to);
	command_text(what, (flags & LIMEN_TAKE_ALL) ? "1" : "0");
	command_text(what, (flags & LIMEN_TAKE_PEEK) ? "1" : "0");
	for (size_t i = 0; i < count; i++) {
		command_book(what, takes[i].table);
		book_print_amount(takes[i].table, takes[i].amount, out->amounts[i]);
		command_text(what, out->amounts[i]);
	}
}

/* In a batch of which all or none are granted, one refusal leaves the others nothing. */
static limen_verdict
answer(limen_store_take *takes, const int64_t *answers, size_t count, unsigned flags)
{
	bool granted = true;

	for (size_t i = 0; i < count; i++)
		granted = granted && answers[i * 2] == 1;
	for (size_t i = 0; i < count; i++) {
		takes[i].granted = answers[i * 2] == 1 && (granted || !(flags & LIMEN_TAKE_ALL));
		takes[i].wait = answers[i * 2] == 1 ? GRANTED_BY_REDIS : answers[i * 2 + 1];
	}
	return granted ? LIMEN_PASS : LIMEN_FAIL;
}

static bool
call_take(strict *one, wire *used, batch *room, limen_store_take *takes, size_t count,
          unsigned flags, int64_t deadline)
{
	redisReply *reply;
	bool good;

	write_take(room, one, used, takes, count, flags);
	reply = call(used, &room->command, SCRIPT_TAKE, deadline);
	if (reply == NULL) {
		wire_fail(used, "%s", limen_result_text(LIMEN_ENOMEM));
		return false;
	}
	good = answer_read(used, reply, room->answers, count * 2);
	freeReplyObject(reply);
	if (good)
		atomic_store(&one->rules->has_seen_mark, true);
	return good;
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
	batch room;
	bool good = batch_open(&room, takes, count) &&
	            call_take(one, used, &room, takes, count, flags, deadline);

	if (good)
		*verdict = answer(takes, room.answers, count, flags);
	if (good && has_written(takes, count, flags))
		reach_wrote(one->reach, used);
	batch_close(&room);
	return_wire(one, used);
	return good;
}

/*
 * Who is in a hurry waits for an answer that is under way all the same: that there was
 * no time for it tells nothing about Redis, and to end the connection would tell all
 * others that Redis is away.
 */
bool
strict_take(strict *one, limen_store_take *takes, size_t count, unsigned flags,
            int64_t deadline, limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	int64_t until = now + one->rules->timeout;
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
	int64_t deadline = limen_host_monotonic() + one->rules->timeout;
	wire *used = borrow(one, deadline);
	redisReply *reply = NULL;
	batch room;

	if (used == NULL)
		return;
	if (batch_open(&room, take, 1)) {
		command_begin(&room.command, one->rules, used, SCRIPT_GIVE, 1);
		add_keys(&room, take, 1);
		command_rules(&room.command, one->rules, used);
		command_book(&room.command, take->table);
		book_print_amount(take->table, take->amount, room.amounts[0]);
		command_text(&room.command, room.amounts[0]);
		reply = call(used, &room.command, SCRIPT_GIVE, deadline);
		if (reply == NULL)
			wire_fail(used, "%s", limen_result_text(LIMEN_ENOMEM));
		else if (reply->type != REDIS_REPLY_INTEGER)
			wire_fail_reply(used, reply);
	}
	batch_close(&room);
	if (reply != NULL)
		freeReplyObject(reply);
	return_wire(one, used);
}
