/* SPDX-License-Identifier: Apache-2.0 */
/* sync_ask.c - one question about a lease, and its answer. */
#include "sync.h"

#define ARGUMENTS 13

typedef struct question {
	int64_t kept;
	int64_t back;   /* put back, of what was held */
	int64_t given;  /* back, of what was used */
	int64_t least;  /* fewer are of no use */
	int64_t wanted;
} question;

/* What to ask; the caller has the lock. */
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

	call_begin(to, one->rules, SCRIPT_LEASE, 1, ARGUMENTS);
	wire_pair(to, which->table->prefix, which->table->prefix_length, which->key,
	          which->key_length);
	call_rules(to, one->rules);
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

bool
sync_ask(sync_state *one, lease *which, int64_t now, bool leaving)
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

/* What Redis granted, and until when it need not be asked again. */
static void
take_over(sync_state *one, lease *which, bool lapsed, int64_t granted, int64_t wait)
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

bool
sync_answer(sync_state *one, lease *which, const redisReply *reply)
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
		take_over(one, which, lapsed == 1, granted, reply->element[2]->integer);
	pthread_mutex_unlock(&shard->lock);
	if (!one->wire->failed && granted > 0)
		reach_wrote(one->reach, one->wire);
	return !one->wire->failed;
}
