/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct question {
	int64_t kept;
	int64_t back;   /* put back, of what was held */
	int64_t given;  /* back, of what was used */
	int64_t least;  /* fewer are of no use */
	int64_t wanted;
} question;

static bool
is_idle(const sync_state *one, const lease *which, int64_t now)
{
	return now - which->touched >= one->lasts / 2;
}

/* What to ask; the caller has the lock. */
static question
consider(const sync_state *one, lease *which, int64_t now, bool leaving)
{
	question what = { .given = which->given };

	if (now >= which->good_until) {
		which->held = 0;
		which->used = 0;
	}
	which->target = leases_target(one->leases, which);
	if (leaving || is_idle(one, which, now)) {
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

static bool
is_nothing(const question *what)
{
	return what->kept + what->back + what->given + what->wanted == 0;
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

static bool
send_question(sync_state *one, const lease *which, const question *what)
{
	const char *words[WORDS_BEFORE_KEYS + 1 + WORDS_AFTER_KEYS + 10];
	size_t lengths[sizeof(words) / sizeof(words[0])];
	const int64_t numbers[] = { what->kept, what->back, what->given, what->least,
		                    what->wanted };
	char texts[sizeof(numbers) / sizeof(numbers[0])][NUMBER_MAX];
	char name[BOOK_PREFIX_MAX + LIMEN_KEY_MAX];
	command call = { .words = words, .lengths = lengths };
	const book *table = which->table;

	memcpy(name, table->prefix, table->prefix_length);
	memcpy(name + table->prefix_length, which->key, which->key_length);
	command_begin(&call, one->rules, one->wire, SCRIPT_LEASE, 1);
	command_add(&call, name, table->prefix_length + which->key_length);
	command_rules(&call, one->rules, one->wire);
	command_text(&call, one->client);
	command_book(&call, table);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		snprintf(texts[i], NUMBER_MAX, "%" PRId64, numbers[i]);
		command_text(&call, texts[i]);
	}
	command_text(&call, one->lasts_text);
	return wire_queue(one->wire, call.count, words, lengths);
}

bool
sync_ask(sync_state *one, lease *which, int64_t now, bool leaving)
{
	lease_shard *shard = leases_shard(one->leases, which->hash);
	bool asks = false;
	question what;

	pthread_mutex_lock(&shard->lock);
	which->queued = false;
	what = consider(one, which, now, leaving);
	if (!is_nothing(&what)) {
		asks = send_question(one, which, &what);
		if (asks)
			note_asked(which, &what);
	}
	pthread_mutex_unlock(&shard->lock);
	return asks;
}

/* What Redis granted, and until when it need not be asked again. */
static void
take_over(sync_state *one, lease *which, const int64_t *answer, int64_t now)
{
	bool lapsed = answer[0] == 1;
	int64_t granted = answer[1];
	int64_t wait = answer[2];

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

bool
sync_answer(sync_state *one, lease *which, const redisReply *reply)
{
	lease_shard *shard = leases_shard(one->leases, which->hash);
	int64_t answer[3];

	if (!answer_read(one->wire, reply, answer, 3))
		return false;
	pthread_mutex_lock(&shard->lock);
	which->in_flight = false;
	if ((answer[0] != 0 && answer[0] != 1) || answer[1] < 0 || answer[1] > which->asked)
		wire_fail_answer(one->wire, "an unexpected answer");
	else
		take_over(one, which, answer, limen_host_monotonic());
	pthread_mutex_unlock(&shard->lock);
	if (!one->wire->failed && answer[1] > 0)
		reach_wrote(one->reach, one->wire);
	return !one->wire->failed;
}
