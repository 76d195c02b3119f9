/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enforce.c - takes the tokens of an event.  Every limit is asked and charged,
 * whatever the others answer (event-rate-limit, "Example").
 */
#include "event_rate_limit.h"

/* The counters of each type of limit: of events that it admits, and that it refuses. */
static const char *const counters[LIMIT_TYPES][2] = {
	[LIMIT_SERVER] = { "admitted_by_server", "refused_by_server" },
	[LIMIT_NAMESPACE] = { "admitted_by_namespace", "refused_by_namespace" },
	[LIMIT_USER] = { "admitted_by_user", "refused_by_user" },
	[LIMIT_SOURCE_AND_OBJECT] = { "admitted_by_source_and_object",
		                      "refused_by_source_and_object" },
};

void
enforce_open(event_rate_limit *self, limen_host *host)
{
	for (size_t i = 0; i < self->rate_count; i++) {
		limit_type type = self->rates[i].type;

		self->admitted[type] = limen_host_counter(host, counters[type][0]);
		self->refused[type] = limen_host_counter(host, counters[type][1]);
	}
	self->accepted = limen_host_counter(host, "accepted");
	self->exempted = limen_host_counter(host, "exempt");
}

/* The buckets of this key: the limit's, unless an override names it.  'shown' is then the key. */
static limen_table *
find_table(const event_rate_limit *self, const rate *limit, const key_facts *facts,
           event_text *shown)
{
	const rate *other;

	*shown = (event_text){ NULL, 0 };
	if (!override_list_has(&self->exceptions, limit->type))
		return limit->table;
	*shown = key_print(facts, limit->type);
	if (shown->text == NULL)
		return NULL;
	other = override_list_find(&self->exceptions, limit->type, shown->text, shown->length);
	return other == NULL ? limit->table : other->table;
}

/* Without memory for the key the event is refused for it all the same. */
static void
report(const key_facts *facts, limit_type type, event_text shown, const limen_take *take,
       limen_reply *reply)
{
	if (shown.text == NULL)
		shown = key_print(facts, type);
	limen_reply_violation(reply, LIMEN_CLASS_TOO_MANY, NULL,
	                      "limit reached on type %s for key %s", limit_type_names[type],
	                      shown.text == NULL ? "(no memory)" : shown.text);
	limen_reply_retry_after(reply, take->wait);
}

/* The answer of each limit is counted, even if another limit refuses the event. */
static limen_verdict
charge_all(const event_rate_limit *self, const key_facts *facts, limen_reply *reply)
{
	event_text shown[LIMIT_TYPES];
	limen_take takes[LIMIT_TYPES];
	limen_verdict verdict;

	for (size_t i = 0; i < self->rate_count; i++) {
		event_text key = key_make(facts, self->rates[i].type);

		takes[i] = (limen_take){
			.table = find_table(self, &self->rates[i], facts, &shown[i]),
			.key = key.text,
			.key_length = key.length,
			.amount = 1,
		};
		if (takes[i].table != NULL && key.text != NULL)
			continue;
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		return LIMEN_ERROR;
	}
	verdict = limen_reply_take(reply, takes, self->rate_count, 0);
	for (size_t i = 0; verdict != LIMEN_ERROR && i < self->rate_count; i++) {
		limit_type type = self->rates[i].type;

		limen_counter_add((takes[i].granted ? self->admitted : self->refused)[type], 1);
		if (!takes[i].granted)
			report(facts, type, shown[i], &takes[i], reply);
	}
	return verdict;
}

limen_verdict
enforce_rates(const event_rate_limit *self, const event *subject, limen_reply *reply)
{
	key_facts facts = { .about = subject };
	limen_verdict verdict;

	if (event_rate_limit_has(self, LIMIT_SOURCE_AND_OBJECT) &&
	    event_read_origin(subject, self->groups == GROUPS_CORE, &facts.origin, reply) !=
	            LIMEN_PASS)
		return LIMEN_FAIL;
	verdict = charge_all(self, &facts, reply);
	if (verdict == LIMEN_PASS)
		limen_counter_add(self->accepted, 1);
	return verdict;
}
