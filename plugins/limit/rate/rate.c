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
#include "windows.h"

enum counted {
	COUNT_TASKS = 0,
	COUNT_RUNS = 1,
	COUNT_BOTH = 2
};

struct rate {
	limen_strings words;
	windows windows;
	limen_store *store;
	int64_t capacity; /* 0: as the store likes */
	int count;
	key_rules key;
	cost cost;
};

_Static_assert(COUNT_BOTH == WINDOW_TABLES, "a rate has a table of each kind");

static const char *const counts[] = { "tasks", "runs", "both", NULL };

static const limen_option options[] = {
	LIMEN_OPT_STRINGS(struct rate, words, .key = "key", .fallback = "[]",
	                  .help = "The attributes that form the key: requester, classifier, "
	                          "test-type, hint:NAME, path:/POINTER; of HTTP requests header:NAME, "
	                          "method, host, path, route; empty: one bucket for all"),
	LIMEN_OPT_BOOL(struct rate, key.hash, .key = "hash",
	               .help = "Keep the headers of the key as their SHA-256; authorization, cookie "
	                       "and x-api-key always are"),
	LIMEN_OPT_STRING(struct rate, windows.text, .key = "rate",
	                 .help = "N per time: 10/min, 10/hour, 10/day, 10/month, or 10/PT1H; required "
	                         "without rates"),
	LIMEN_OPT_STRINGS(struct rate, windows.texts, .key = "rates",
	                  .help = "Several rates that a request must all pass, instead of one"),
	LIMEN_OPT_ENUM(struct rate, windows.kind, .key = "window", .choices = window_names,
	               .help = "What counts: a bucket of tokens, or N in periods that are fixed, "
	                       "sliding, or those of the calendar; default: token, and calendar for "
	                       "months and years"),
	LIMEN_OPT_STRING(struct rate, windows.timezone, .key = "timezone",
	                 .help = "The time zone of the window calendar, an IANA name; default: UTC"),
	LIMEN_OPT_INT(struct rate, windows.burst, .key = "burst", .minimum = 1,
	              .help = "Burst of the window token: how many at once after a pause; default: N "
	                      "of rate"),
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

/* With "both", runs have tables of their own, so that a task leaves its first run a token. */
static int
open_tables(struct rate *rate, limen_opening *opening, limen_diag *diag)
{
	char *keys = describe_keys(rate, opening);
	int result = keys == NULL ? LIMEN_ENOMEM : LIMEN_OK;

	for (size_t counted = COUNT_TASKS; counted < COUNT_BOTH && result == LIMEN_OK; counted++) {
		bool apart = rate->count == COUNT_BOTH && counted == COUNT_RUNS;

		if (rate->count == (int)counted || rate->count == COUNT_BOTH)
			result = windows_open_tables(&rate->windows, counted, apart ? "runs" : "rate",
			                             keys, (uint64_t)rate->capacity, rate->store,
			                             opening, diag);
	}
	free(keys);
	return result;
}

static void
close_rate(void *self)
{
	struct rate *rate = self;

	key_rules_close(&rate->key);
	cost_close(&rate->cost);
	windows_close(&rate->windows);
}

static int
open_rate(void *self, limen_opening *opening, limen_diag *diag)
{
	struct rate *rate = self;
	int results[] = { windows_open(&rate->windows, opening, diag),
		          cost_open(&rate->cost, opening, diag),
		          key_rules_open(&rate->key, rate->words, opening, diag) };
	int64_t least = windows_least(&rate->windows);
	int result = LIMEN_OK;

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]) && result == LIMEN_OK; i++)
		result = results[i];
	if (result == LIMEN_OK && rate->cost.constant > least)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, rate->cost.option,
		               "no request passes: its cost of %" PRId64
		               " is more than the %" PRId64 " that can be left",
		               rate->cost.constant, least);
	if (result == LIMEN_OK)
		result = open_tables(rate, opening, diag);
	if (result != LIMEN_OK)
		close_rate(rate);
	return result;
}

/* Returns the index of the refused take with the longest wait: others may pass sooner. */
static size_t
find_strictest(const limen_take *takes, size_t count)
{
	size_t found = 0;

	for (size_t i = 1; i < count; i++)
		if (takes[found].wait >= 0 &&
		    (takes[i].wait < 0 || takes[i].wait > takes[found].wait))
			found = i;
	return found;
}

static void
refuse(const window *rate, const key *charged, const limen_take *take, limen_reply *reply)
{
	char spelt[SPELL_WAIT_MAX];
	char amount[48] = "";

	if (take->amount != 1)
		snprintf(amount, sizeof(amount), " by a cost of %" PRId64, take->amount);
	limen_reply_reason(reply, "Rate of %" PRId64 " per %s exceeded%s%s%s", rate->spec.tokens,
	                   rate->period, charged->shown[0] == '\0' ? "" : " for ", charged->shown, amount);
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
	size_t counted = limen_request_is_run(req) ? COUNT_RUNS : COUNT_TASKS;
	size_t count = rate->windows.count;
	limen_take takes[WINDOWS_MAX];
	int64_t amount;
	limen_verdict verdict;
	key charged;

	if (rate->windows.items[0].tables[counted] == NULL)
		return LIMEN_SKIP;
	if (key_read(&rate->key, req, reply, &charged) != LIMEN_PASS)
		return LIMEN_ERROR;
	amount = cost_read(&rate->cost, req);
	for (size_t i = 0; i < count; i++)
		takes[i] = (limen_take){ .table = rate->windows.items[i].tables[counted],
			                 .key = charged.text,
			                 .key_length = charged.length,
			                 .amount = amount };
	verdict = limen_reply_take(reply, takes, count, LIMEN_TAKE_RESERVE | LIMEN_TAKE_ALL);
	if (verdict == LIMEN_FAIL) {
		size_t found = find_strictest(takes, count);

		refuse(&rate->windows.items[found], &charged, &takes[found], reply);
	}
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
