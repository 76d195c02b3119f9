/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enforce.c - takes the tokens of an event.  Every limit is asked and charged,
 * whatever the others answer (event-rate-limit, "Example").
 */
#include "event_rate_limit.h"

/* One limit and the event. */
typedef struct charge {
	limit_type type;
	event_text shown; /* the key as messages print it; NULL: not printed yet */
} charge;

static const char *const grants[LIMIT_TYPES] = {
	[LIMIT_SERVER] = "admitted_by_server",
	[LIMIT_NAMESPACE] = "admitted_by_namespace",
	[LIMIT_USER] = "admitted_by_user",
	[LIMIT_SOURCE_AND_OBJECT] = "admitted_by_source_and_object",
};

static const char *const refusals[LIMIT_TYPES] = {
	[LIMIT_SERVER] = "refused_by_server",
	[LIMIT_NAMESPACE] = "refused_by_namespace",
	[LIMIT_USER] = "refused_by_user",
	[LIMIT_SOURCE_AND_OBJECT] = "refused_by_source_and_object",
};

void
enforce_open(event_rate_limit *self, limen_host *host)
{
	for (size_t i = 0; i < self->rate_count; i++) {
		limit_type type = self->rates[i].type;

		self->admitted[type] = limen_host_counter(host, grants[type]);
		self->refused[type] = limen_host_counter(host, refusals[type]);
	}
	self->accepted = limen_host_counter(host, "accepted");
	self->exempted = limen_host_counter(host, "exempt");
}

/* The buckets of this key: the limit's, unless an override names it. */
static limen_table *
find_table(const event_rate_limit *self, const rate *limit, const key_facts *facts,
           charge *one)
{
	const rate *other;

	if (!override_list_has(&self->exceptions, limit->type))
		return limit->table;
	one->shown = key_print(facts, limit->type);
	if (one->shown.text == NULL)
		return NULL;
	other = override_list_find(&self->exceptions, limit->type, one->shown.text,
	                           one->shown.length);
	return other == NULL ? limit->table : other->table;
}

static bool
prepare(const event_rate_limit *self, const rate *limit, const key_facts *facts, charge *one,
        limen_take *take)
{
	event_text key = key_make(facts, limit->type);

	*one = (charge){ .type = limit->type };
	*take = (limen_take){
		.table = find_table(self, limit, facts, one),
		.key = key.text,
		.key_length = key.length,
		.amount = 1,
	};
	return take->table != NULL && take->key != NULL;
}

/* Without memory for the key the event is refused for it all the same. */
static void
report(const key_facts *facts, charge *one, const limen_take *take, limen_reply *reply)
{
	if (one->shown.text == NULL)
		one->shown = key_print(facts, one->type);
	limen_reply_violation(reply, LIMEN_CLASS_TOO_MANY, NULL,
	                      "limit reached on type %s for key %s", limit_type_names[one->type],
	                      one->shown.text == NULL ? "(no memory)" : one->shown.text);
	limen_reply_retry_after(reply, take->wait);
}

/* Counts the answer of each limit, even if another limit refuses the event. */
static void
count_all(const event_rate_limit *self, const charge *charges, const limen_take *takes)
{
	for (size_t i = 0; i < self->rate_count; i++) {
		limen_counter *const *counters = takes[i].granted ? self->admitted : self->refused;

		limen_counter_add(counters[charges[i].type], 1);
	}
}

static limen_verdict
charge_all(const event_rate_limit *self, const key_facts *facts, limen_reply *reply)
{
	charge charges[LIMIT_TYPES];
	limen_take takes[LIMIT_TYPES];
	limen_verdict verdict;

	for (size_t i = 0; i < self->rate_count; i++) {
		if (prepare(self, &self->rates[i], facts, &charges[i], &takes[i]))
			continue;
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		return LIMEN_ERROR;
	}
	verdict = limen_reply_take(reply, takes, self->rate_count, 0);
	if (verdict == LIMEN_ERROR)
		return LIMEN_ERROR;
	count_all(self, charges, takes);
	for (size_t i = 0; verdict == LIMEN_FAIL && i < self->rate_count; i++) {
		if (!takes[i].granted)
			report(facts, &charges[i], &takes[i], reply);
	}
	return verdict;
}

limen_verdict
enforce_rates(const event_rate_limit *self, const event *about, limen_reply *reply)
{
	key_facts facts = { .about = about };
	limen_verdict verdict;

	if (event_rate_limit_has(self, LIMIT_SOURCE_AND_OBJECT) &&
	    event_read_origin(about, self->groups == GROUPS_CORE, &facts.origin, reply) !=
	            LIMEN_PASS)
		return LIMEN_FAIL;
	verdict = charge_all(self, &facts, reply);
	if (verdict == LIMEN_PASS)
		limen_counter_add(self->accepted, 1);
	return verdict;
}
