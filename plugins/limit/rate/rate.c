/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate.c - the limit "rate": a number of tasks per time for each value of its key, such
 * as requester, hint or test type.  pScheduler has no such limit.
 */
#include <inttypes.h>
#include <limen/module.h>
#include <limen/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "spell.h"

enum counted {
	COUNT_TASKS = 0,
	COUNT_RUNS = 1,
	COUNT_BOTH = 2
};

struct rate {
	limen_strings words;
	const char *text; /* of the rate */
	int64_t burst;    /* 0: as many as the rate says */
	int window;       /* a limen_meter_kind */
	limen_store *store;
	int64_t capacity; /* 0: as the store likes */
	int count;
	key_rules key;
	cost cost;
	int64_t tokens;
	char period[LIMEN_DURATION_TEXT_MAX];
	limen_table *tables[COUNT_BOTH]; /* of tasks, of runs; NULL: not counted */
};

static const char *const counts[] = { "tasks", "runs", "both", NULL };

/* In the order of limen_meter_kind. */
static const char *const windows[] = { "token", "fixed", "sliding", NULL };

static const limen_option options[] = {
	LIMEN_OPT_STRINGS(struct rate, words, .key = "key", .fallback = "[]",
	                  .help = "The attributes that form the key: requester, classifier, "
	                          "test-type, hint:NAME, path:/POINTER; of HTTP requests header:NAME, "
	                          "method, host, path, route; empty: one bucket for all"),
	LIMEN_OPT_BOOL(struct rate, key.hash, .key = "hash",
	               .help = "Keep the headers of the key as their SHA-256; authorization, cookie "
	                       "and x-api-key always are"),
	LIMEN_OPT_STRING(struct rate, text, .key = "rate", .required = true,
	                 .help = "Tokens per time: 10/min, 10/hour, 10/day, 10/week, or 10/PT1H"),
	LIMEN_OPT_INT(struct rate, burst, .key = "burst", .minimum = 1,
	              .help = "Burst: how many at once after a pause; default: N of rate"),
	LIMEN_OPT_ENUM(struct rate, window, .key = "window", .choices = windows,
	               .fallback = "token",
	               .help = "What counts: a bucket of tokens, periods that follow each other, "
	                       "or those with the share of the one before"),
	LIMEN_OPT_ENUM(struct rate, count, .key = "count", .choices = counts, .fallback = "tasks",
	               .help = "Whether tasks are counted, when they are submitted, or their runs, "
	                       "or both, each in a bucket of its own"),
	LIMEN_OPT_JSON(struct rate, cost.option, .key = "cost",
	               .help = "Cost of a request: a number, or header:NAME or path:/POINTER, where it "
	                       "has a number from 1 to 1000000; default: 1"),
	LIMEN_OPT_INT(struct rate, cost.fallback, .key = "cost-default", .minimum = 1,
	              .maximum = COST_MAX, .fallback = "1",
	              .help = "Cost of a request without such a number"),
	LIMEN_OPT_INT(struct rate, key.prefix4, .key = "ipv4-prefix", .minimum = 0, .maximum = 32,
	              .fallback = "32",
	              .help = "Prefix length: IPv4 addresses of one prefix are one requester"),
	LIMEN_OPT_INT(struct rate, key.prefix6, .key = "ipv6-prefix", .minimum = 0, .maximum = 128,
	              .fallback = "64",
	              .help = "Prefix length: IPv6 addresses of one prefix are one requester"),
	LIMEN_OPT_STORE(struct rate, store, .key = "store", .help = "Where counts are kept"),
	LIMEN_OPT_INT(struct rate, capacity, .key = "capacity", .minimum = 1,
	              .help = "The maximum number of keys; default: chosen by the store"),
	LIMEN_OPT_END
};

static int
read_rate(struct rate *rate, limen_opening *opening, limen_table_spec *spec, limen_diag *diag)
{
	if (!spell_read_rate(rate->text, &spec->tokens, &spec->period)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "rate"),
		               "invalid rate '%s': use N/UNIT, such as 10/min, 10/h or 10/day, or N/DURATION, "
		               "such as 10/PT1H",
		               rate->text);
		return LIMEN_EINVAL;
	}
	if (rate->window != LIMEN_METER_TOKEN && rate->burst != 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "burst"),
		               "only the window 'token' has a burst; '%s' admits %" PRId64
		               " in a period",
		               windows[rate->window], spec->tokens);
		return LIMEN_EINVAL;
	}
	spec->kind = (limen_meter_kind)rate->window;
	rate->tokens = spec->tokens;
	limen_duration_print(spec->period, rate->period);
	spec->burst = rate->burst == 0 ? spec->tokens : rate->burst;
	spec->capacity = (uint64_t)rate->capacity;
	return LIMEN_OK;
}

/* Returns the parts of keys for the store, which drops buckets when they change. */
static char *
describe_keys(const struct rate *rate, limen_opening *opening)
{
	limen_value words = limen_opening_option(opening, "key");
	char *list = limen_value_exists(words) ? limen_value_to_json(words, 0, NULL) : strdup("[]");
	char *text = NULL;

	if (list != NULL && asprintf(&text, "%s /%" PRId64 " /%" PRId64 "%s", list, rate->key.prefix4,
	                             rate->key.prefix6, rate->key.hash ? " hash" : "") < 0)
		text = NULL;
	free(list);
	return text;
}

/* With "both", runs have a table of their own, so that a task leaves its first run a token. */
static int
open_tables(struct rate *rate, limen_opening *opening, limen_table_spec *spec, limen_diag *diag)
{
	int result = LIMEN_OK;

	for (int counted = COUNT_TASKS; counted < COUNT_BOTH && result == LIMEN_OK; counted++) {
		if (rate->count != counted && rate->count != COUNT_BOTH)
			continue;
		if (rate->count == COUNT_BOTH && counted == COUNT_RUNS)
			spec->name = "runs";
		result = limen_opening_table(opening, rate->store, spec, &rate->tables[counted],
		                             diag);
	}
	return result;
}

static void
close_rate(void *self)
{
	struct rate *rate = self;

	key_rules_close(&rate->key);
	cost_close(&rate->cost);
}

static int
open_rate(void *self, limen_opening *opening, limen_diag *diag)
{
	struct rate *rate = self;
	limen_table_spec spec = { .size = sizeof(spec), .name = "rate", .rate = rate->text,
		                  .eviction = LIMEN_EVICT_FULLEST };
	int read = read_rate(rate, opening, &spec, diag);
	int costs = cost_open(&rate->cost, opening, diag);
	int result = key_rules_open(&rate->key, rate->words, opening, diag);
	char *keys;

	if (result != LIMEN_OK) {
		cost_close(&rate->cost);
		return result;
	}
	if (read == LIMEN_OK)
		read = costs;
	if (read == LIMEN_OK && rate->cost.constant > spec.burst)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, rate->cost.option,
		               "no request passes: its cost of %" PRId64
		               " is more than the %" PRId64 " that can be left",
		               rate->cost.constant, spec.burst);
	keys = read == LIMEN_OK ? describe_keys(rate, opening) : NULL;
	spec.keys = keys;
	if (read != LIMEN_OK)
		result = read;
	else if (keys == NULL)
		result = LIMEN_ENOMEM;
	else
		result = open_tables(rate, opening, &spec, diag);
	free(keys);
	if (result != LIMEN_OK)
		close_rate(rate);
	return result;
}

static void
refuse(const struct rate *rate, const key *asked, const limen_take *take, limen_reply *reply)
{
	char spelt[SPELL_WAIT_MAX];
	char amount[48] = "";

	if (take->amount != 1)
		snprintf(amount, sizeof(amount), " by a cost of %" PRId64, take->amount);
	limen_reply_reason(reply, "Rate of %" PRId64 " per %s exceeded%s%s%s", rate->tokens,
	                   rate->period, asked->shown[0] == '\0' ? "" : " for ", asked->shown, amount);
	if (take->wait < 0) {
		limen_reply_reason(reply, "waiting does not help");
		return;
	}
	spell_wait(take->wait, spelt);
	limen_reply_reason(reply, "try again in %s", spelt);
	limen_reply_retry_after(reply, take->wait);
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct rate *rate = self;
	limen_take take = { .table = rate->tables[limen_request_is_run(req)] };
	limen_verdict verdict;
	key asked;

	if (take.table == NULL)
		return LIMEN_SKIP;
	if (key_read(&rate->key, req, reply, &asked) != LIMEN_PASS)
		return LIMEN_ERROR;
	take.key = asked.text;
	take.key_length = asked.length;
	take.amount = cost_read(&rate->cost, req);
	verdict = limen_reply_take(reply, &take, 1, LIMEN_TAKE_RESERVE);
	if (verdict == LIMEN_FAIL)
		refuse(rate, &asked, &take, reply);
	return verdict;
}

LIMEN_LIMIT("rate",
	.version = LIMEN_VERSION,
	.summary = "Limits the rate of tasks or runs, for each requester or another key",
	.options = options,
	.instance_size = sizeof(struct rate),
	.open = open_rate,
	.close = close_rate,
	.check = check);
