/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory_list.c - the buckets that are used most, out of those of an engine:
 * against a count of the test's own, while others decide, and when there is
 * nothing to list.
 */
#include <limen/limen.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

#define KEYS 600
#define MINUTE (60 * LIMEN_SECOND)

#define POLICY                                                                                 \
	"{\"schema\":4,\"stores\":{\"other\":{\"type\":\"memory\"}},"                          \
	"\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":\"always\",\"data\":{}}]," \
	"\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"     \
	"\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{\"key\":[\"hint:k\"],"        \
	"\"rate\":\"1/P1000D\",\"burst\":1000}},"                                              \
	"{\"name\":\"m\",\"type\":\"rate\",\"data\":{\"rate\":\"1/P1000D\",\"burst\":9000000,"  \
	"\"store\":\"other\"}}],"                                                              \
	"\"applications\":[{\"description\":\"\",\"classifier\":\"c\","                        \
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"l\",\"m\"]}]}]}"

static limen_engine *
start(const char *policy)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);

	CU_ASSERT_FATAL(engine != NULL);
	if (policy != NULL)
		CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, NULL, policy, strlen(policy),
		                                             NULL), LIMEN_OK);
	return engine;
}

static void
ask(limen_engine *engine, unsigned key, size_t count)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	char text[16];

	CU_ASSERT_FATAL(req != NULL);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	snprintf(text, sizeof(text), "k%u", key);
	limen_request_set_hint(req, "k", text);
	for (size_t i = 0; i < count; i++) {
		limen_decision *decision = NULL;

		CU_ASSERT_EQUAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
		CU_ASSERT_TRUE(limen_decision_admitted(decision));
		limen_decision_free(decision);
	}
	limen_request_free(req);
}

/* What was listed: which key was how often asked for. */
typedef struct seen {
	size_t count;
	size_t all; /* with those of other tables */
	int64_t used[KEYS + 1];
	unsigned keys[KEYS + 1];
} seen;

static void
note(void *data, const limen_bucket *bucket)
{
	seen *out = data;

	out->all++;
	if (strcmp(bucket->table, "limits/l/rate") != 0) {
		CU_ASSERT_STRING_EQUAL(bucket->table, "limits/m/rate");
		CU_ASSERT_STRING_EQUAL(bucket->store, "other");
		CU_ASSERT_EQUAL(bucket->key_length, 0);
		CU_ASSERT_EQUAL(bucket->burst, 9000000);
		return;
	}
	CU_ASSERT_FATAL(out->count <= KEYS);
	CU_ASSERT_STRING_EQUAL(bucket->store, "default");
	CU_ASSERT_EQUAL(bucket->size, sizeof(*bucket));
	CU_ASSERT_EQUAL(bucket->burst, 1000);
	CU_ASSERT_EQUAL(bucket->tokens, 1);
	CU_ASSERT_EQUAL(bucket->period, (limen_duration)1000 * 24 * 60 * MINUTE);
	CU_ASSERT_EQUAL(bucket->leased, 0);
	CU_ASSERT_EQUAL(bucket->refused, 0);
	CU_ASSERT(bucket->age >= 0 && bucket->age < 60 * MINUTE);
	/* The key is "sLENGTH:kNUMBER". */
	out->keys[out->count] = (unsigned)atoi(strchr(bucket->key, 'k') + 1);
	out->used[out->count++] = bucket->burst - bucket->left;
}

static int
list(limen_engine *engine, const char *store, size_t most, seen *out)
{
	out->count = 0;
	out->all = 0;
	return limen_engine_each_bucket(engine, store, most, MINUTE, note, out, NULL);
}

static int
descending(const void *a, const void *b)
{
	int64_t of_a = *(const int64_t *)a;
	int64_t of_b = *(const int64_t *)b;

	return (of_a < of_b) - (of_a > of_b);
}

/* The first of all, in order, however many are wanted. */
static void
test_most_used(void)
{
	static const size_t wanted[] = { 0, 1, 2, 7, 599, 600, 601, 1000, 100000 };
	static seen found;
	limen_engine *engine = start(POLICY);
	int64_t used[KEYS];
	int64_t sorted[KEYS];

	for (unsigned key = 0; key < KEYS; key++) {
		used[key] = 1 + (key * 7919 + key / 13) % 40;
		ask(engine, key, (size_t)used[key]);
	}
	memcpy(sorted, used, sizeof(used));
	qsort(sorted, KEYS, sizeof(sorted[0]), descending);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		size_t most = wanted[i] < KEYS ? wanted[i] : KEYS;

		CU_ASSERT_EQUAL(list(engine, "default", wanted[i], &found), LIMEN_OK);
		CU_ASSERT_EQUAL_FATAL(found.count, most);
		CU_ASSERT_EQUAL(found.all, most);
		for (size_t k = 0; k < found.count; k++) {
			CU_ASSERT_EQUAL(found.used[k], sorted[k]);
			CU_ASSERT_EQUAL(found.used[k], used[found.keys[k]]);
		}
	}
	/* Of all stores; the other bucket is large, and so the least used of them. */
	CU_ASSERT_EQUAL(list(engine, NULL, 1000, &found), LIMEN_OK);
	CU_ASSERT_EQUAL(found.count, KEYS);
	CU_ASSERT_EQUAL(found.all, KEYS + 1);
	CU_ASSERT_EQUAL(list(engine, NULL, KEYS, &found), LIMEN_OK);
	CU_ASSERT_EQUAL(found.all, KEYS);
	limen_engine_free(engine);
}

/* Nothing to list, for several reasons. */
static void
test_none(void)
{
	static seen found;
	limen_engine *engine = start(NULL);

	CU_ASSERT_EQUAL(list(engine, NULL, 10, &found), LIMEN_ENOPOLICY);
	limen_engine_free(engine);
	engine = start(POLICY);
	CU_ASSERT_EQUAL(list(engine, "nowhere", 10, &found), LIMEN_ENOENT);
	CU_ASSERT_EQUAL(list(engine, "other", 10, &found), LIMEN_OK);
	CU_ASSERT_EQUAL(found.all, 0);
	limen_engine_free(engine);
}

/* Time that is over is a warning, and what was seen is shown. */
static void
test_no_time(void)
{
	static seen found;
	limen_engine *engine = start(POLICY);
	limen_diag *diag = limen_diag_new();

	for (unsigned key = 0; key < KEYS; key++)
		ask(engine, key, 1);
	found.count = found.all = 0;
	CU_ASSERT_EQUAL(limen_engine_each_bucket(engine, "default", 1000, 0, note, &found, diag),
	                LIMEN_OK);
	CU_ASSERT(found.count < KEYS);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 1);
	limen_diag_free(diag);
	limen_engine_free(engine);
}

typedef struct crowd {
	limen_engine *engine;
	atomic_bool stop;
	unsigned first;
} crowd;

static void *
keep_asking(void *data)
{
	crowd *of = data;

	for (unsigned key = 0; !atomic_load(&of->stop) && key < 4 * KEYS; key++)
		ask(of->engine, of->first + key % KEYS, 1);
	return NULL;
}

/* While threads ask and policies come and go; no bucket is listed twice. */
static void
test_meanwhile(void)
{
	static seen found;
	crowd of = { .engine = start(POLICY) };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, keep_asking, &of);
	for (int i = 0; i < 100; i++) {
		bool twice[KEYS] = { false };

		CU_ASSERT_EQUAL(list(of.engine, NULL, 1000, &found), LIMEN_OK);
		for (size_t k = 0; k < found.count; k++) {
			CU_ASSERT_FALSE(twice[found.keys[k]]);
			twice[found.keys[k]] = true;
		}
		if (i % 10 == 0)
			CU_ASSERT_EQUAL(limen_engine_reload(of.engine, NULL), LIMEN_OK);
	}
	atomic_store(&of.stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	limen_engine_free(of.engine);
}

/* Counts the buckets; those of the first key are chosen. */
static bool
choose_first(void *data, const limen_bucket *bucket)
{
	++*(size_t *)data;
	return bucket->key_length == 5 && memcmp(bucket->key, "s2:k1", 5) == 0;
}

/* Each kind of meter forgets what one key has used, and no other key's. */
static void
test_reset(void)
{
	static const char *const windows[] = { "token", "fixed", "sliding", "calendar" };

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		limen_engine *engine;
		char policy[1024];
		size_t count = 0;

		snprintf(policy, sizeof(policy),
		         "{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"type\":\"always\"}],"
		         "\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{\"key\":"
		         "[\"hint:k\"],\"rate\":\"3/week\",\"window\":\"%s\"}}],"
		         "\"applications\":[{\"identifier\":\"i\",\"apply\":[\"l\"]}]}", windows[i]);
		engine = start(policy);
		ask(engine, 1, 3);
		ask(engine, 2, 1);
		CU_ASSERT_EQUAL(limen_engine_reset_buckets(engine, "none", MINUTE, choose_first,
		                                           &count, NULL), LIMEN_ENOENT);
		CU_ASSERT_EQUAL(limen_engine_reset_buckets(engine, NULL, MINUTE, choose_first,
		                                           &count, NULL), LIMEN_OK);
		CU_ASSERT_EQUAL(count, 2);
		/* The second key is all that is left. */
		count = 0;
		limen_engine_reset_buckets(engine, NULL, MINUTE, choose_first, &count, NULL);
		CU_ASSERT_EQUAL(count, 1);
		ask(engine, 1, 3);
		ask(engine, 2, 2);
		limen_engine_free(engine);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "those used most come first, as many as are wanted", test_most_used },
		{ "there is none, or no store", test_none },
		{ "a list that runs out of time says so", test_no_time },
		{ "a reset forgets what one key has used", test_reset },
		{ "others decide and load meanwhile", test_meanwhile },
		{ NULL, NULL },
	};

	return suite_run("memory, listed", tests);
}
