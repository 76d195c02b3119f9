/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory_eviction.c - tables that evict the fullest of their oldest buckets: other keys
 * hardly make an exhausted bucket full again, and the log tells when one is lost.
 */
#include <limen/limen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/support/bucket/table.h"
#include "plugin.h"
#include "suite.h"

#define BURST 5
#define ROOM 100

static tables *all;

static handle *
start(uint64_t capacity, limen_eviction eviction)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = LIMEN_SECOND, .burst = BURST,
		                        .capacity = capacity, .eviction = eviction };

	all = tables_new();
	CU_ASSERT_FATAL(all != NULL);
	return table_open(all, "limits/e/t", &spec, NULL);
}

static bool
take(handle *held, const char *key, int64_t amount, limen_time now)
{
	limen_store_take one = { .table = held, .key = key, .key_length = strlen(key),
		                 .amount = amount, .wait = -1 };

	return take_batch(all, &one, 1, 0, now) == LIMEN_PASS && one.granted;
}

static void
take_others(handle *held, int first, int count, limen_time now)
{
	for (int i = first; i < first + count; i++) {
		char key[16];

		snprintf(key, sizeof(key), "k%d", i);
		CU_ASSERT_TRUE(take(held, key, 1, now));
	}
}

static void
finish(handle *held)
{
	table_close(all, held);
	tables_free(all);
}

static void
test_one_off_keys(void)
{
	handle *held = start(65536, LIMEN_EVICT_FULLEST);

	CU_ASSERT_TRUE(take(held, "busy", BURST, 0));
	take_others(held, 0, 66000, 0);
	CU_ASSERT_FALSE(take(held, "busy", 1, 0));
	CU_ASSERT_EQUAL(held->table->shards[0].count, 65536);
	CU_ASSERT_TRUE(atomic_load(&held->table->warned));
	finish(held);
	/* The order of use alone forgets it. */
	held = start(65536, LIMEN_EVICT_OLDEST);
	CU_ASSERT_TRUE(take(held, "busy", BURST, 0));
	take_others(held, 0, 66000, 0);
	CU_ASSERT_TRUE(take(held, "busy", 1, 0));
	CU_ASSERT_FALSE(atomic_load(&held->table->warned));
	finish(held);
}

/* Buckets that have filled up meanwhile go first, and nothing is lost. */
static void
test_full_ones(void)
{
	handle *held = start(ROOM, LIMEN_EVICT_FULLEST);

	for (int i = 0; i < 3; i++) {
		char key[16];

		snprintf(key, sizeof(key), "busy%d", i);
		CU_ASSERT_TRUE(take(held, key, BURST, 0));
	}
	take_others(held, 0, ROOM - 3, 0);
	take_others(held, ROOM, 50, LIMEN_SECOND);
	CU_ASSERT_FALSE(atomic_load(&held->table->warned));
	/* A second later each of the three has one token. */
	for (int i = 0; i < 3; i++) {
		char key[16];

		snprintf(key, sizeof(key), "busy%d", i);
		CU_ASSERT_FALSE(take(held, key, 2, LIMEN_SECOND));
	}
	finish(held);
}

/* The price of a reset: seven further keys that are exhausted, and all others used after them. */
static void
test_price(void)
{
	handle *held = start(ROOM, LIMEN_EVICT_FULLEST);

	for (int i = 0; i < SHARD_OLDEST; i++) {
		char key[16];

		snprintf(key, sizeof(key), "busy%d", i);
		CU_ASSERT_TRUE(take(held, key, BURST, 0));
	}
	take_others(held, 0, ROOM - SHARD_OLDEST, 0);
	CU_ASSERT_FALSE(atomic_load(&held->table->warned));
	take_others(held, ROOM, 1, 0);
	CU_ASSERT_TRUE(atomic_load(&held->table->warned));
	for (int i = SHARD_OLDEST - 1; i > 0; i--) {
		char key[16];

		snprintf(key, sizeof(key), "busy%d", i);
		CU_ASSERT_FALSE(take(held, key, 1, 0));
	}
	CU_ASSERT_TRUE(take(held, "busy0", 1, 0));
	finish(held);
}

/* ---- the limit "rate", and what the log tells ---- */

typedef struct notes {
	int count;
	char last[200];
} notes;

static void
note(void *data, limen_log_level level, const char *source, const char *text)
{
	notes *seen = data;

	(void)source;
	if (level != LIMEN_LOG_WARNING || strstr(text, "evicted") == NULL)
		return;
	seen->count++;
	snprintf(seen->last, sizeof(seen->last), "%s", text);
}

static int
decide(limen_engine *engine, const char *who)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	int code;

	limen_request_parse(req, "{}", 2, NULL);
	limen_request_set_hint(req, "who", who);
	CU_ASSERT_FATAL(limen_engine_decide(engine, req, NULL, &decision) == LIMEN_OK);
	code = limen_decision_code(decision);
	limen_decision_free(decision);
	limen_request_free(req);
	return code;
}

static void
test_rate(void)
{
	static const char policy[] =
		"{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"description\":\"\","
		"\"type\":\"always\",\"data\":{}}],"
		"\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
		"\"limits\":[{\"name\":\"few\",\"description\":\"\",\"type\":\"rate\",\"data\":"
		"{\"rate\":\"2/PT1H\",\"key\":[\"hint:who\"],\"capacity\":20}}],"
		"\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
		"\"apply\":[{\"require\":\"all\",\"limits\":[\"few\"]}]}]}";
	notes seen = { .count = 0 };
	const limen_engine_options options = { .size = sizeof(options),
		                               .module_path = getenv("LIMEN_MODULE_PATH"),
		                               .log = note, .log_data = &seen };
	limen_engine *engine = limen_engine_new(&options);

	CU_ASSERT_FATAL(limen_engine_load_text(engine, NULL, policy, strlen(policy), NULL) ==
	                LIMEN_OK);
	CU_ASSERT(decide(engine, "busy") == 200 && decide(engine, "busy") == 200);
	for (int i = 0; i < 100; i++) {
		char who[16];

		snprintf(who, sizeof(who), "w%d", i);
		CU_ASSERT_EQUAL(decide(engine, who), 200);
	}
	CU_ASSERT_EQUAL(decide(engine, "busy"), 429);
	CU_ASSERT_EQUAL(seen.count, 1);
	CU_ASSERT_STRING_EQUAL(seen.last,
	                       "'limits/few/rate' is full (20 keys), and a bucket was evicted that "
	                       "was not full: its key starts again with the whole burst; raise "
	                       "'capacity'");
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "66,000 keys leave an exhausted bucket exhausted", test_one_off_keys },
		{ "buckets that are full go first", test_full_ones },
		{ "of eight exhausted buckets the oldest goes", test_price },
		{ "the limit rate evicts so, and the log tells it once", test_rate },
		{ NULL, NULL },
	};

	return suite_run("memory, eviction", tests);
}
