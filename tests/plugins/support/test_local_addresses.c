/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_local_addresses.c - what the identifiers about local addresses share:
 * their status, and a set that is replaced while threads look into it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <limen/limen.h>

#include "local_net.h"
#include "suite.h"

enum { ROOM = 256, THREADS = 3, CHANGES = 60 };

static limen_engine *
load(const char *type)
{
	limen_engine_options options = {
		.size = sizeof options,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&options);
	char policy[512];

	snprintf(policy, sizeof policy,
	         "{\"schema\":4,\"identifiers\":[{\"name\":\"local\",\"description\":\"\","
	         "\"type\":\"%s\",\"data\":{}}],\"classifiers\":[],\"limits\":[],"
	         "\"applications\":[]}", type);
	if (limen_engine_load_text(engine, NULL, policy, strlen(policy), NULL) == LIMEN_OK)
		return engine;
	limen_engine_free(engine);
	return NULL;
}

/* Returns the engine's description, whose request the caller frees. */
static limen_request *
describe(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	size_t length = 0;
	char *text = limen_engine_describe(engine, 0, &length);

	CU_ASSERT_EQUAL(limen_request_parse(req, text, length, NULL), LIMEN_OK);
	free(text);
	return req;
}

static void
check_status(const char *type, size_t addresses)
{
	limen_engine *engine = load(type);
	limen_request *req;
	limen_value status;
	bool ready = false;
	int64_t count = -1;
	double age = -1;

	CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
	req = describe(engine);
	status = limen_value_get(limen_request_document(req), "identifiers");
	status = limen_value_get(limen_value_get(status, "local"), "status");
	CU_ASSERT_TRUE(limen_value_bool(limen_value_get(status, "ready"), &ready) && ready);
	CU_ASSERT_TRUE(limen_value_int(limen_value_get(status, "addresses"), &count));
	CU_ASSERT_EQUAL(count, (int64_t)addresses);
	CU_ASSERT_TRUE(limen_value_real(limen_value_get(status, "age"), &age));
	CU_ASSERT_TRUE(age >= 0 && age < 60);
	CU_ASSERT_TRUE(limen_value_exists(limen_value_get(status, "watched")));
	CU_ASSERT_FALSE(limen_value_exists(limen_value_get(status, "error")));
	limen_request_free(req);
	limen_engine_free(engine);
}

static void
test_status(void)
{
	static struct local_net nets[ROOM];
	size_t count = local_net_read(nets, ROOM);
	size_t masked = 0;

	for (size_t i = 0; i < count; i++)
		masked += nets[i].has_mask ? 1 : 0;
	check_status("localif", count);
	check_status("local-subnet", masked);
}

/* What the threads of one run share. */
struct crowd {
	limen_engine *engine;
	atomic_bool stop;
	atomic_int wrong;
};

static void *
ask_until_stopped(void *data)
{
	struct crowd *crowd = data;
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision;
	int code;

	limen_request_parse(req, "{}", 2, NULL);
	limen_request_set_hint(req, "requester", "192.0.2.1");
	while (!atomic_load(&crowd->stop)) {
		if (limen_engine_decide(crowd->engine, req, NULL, &decision) != LIMEN_OK) {
			atomic_fetch_add(&crowd->wrong, 1);
			continue;
		}
		code = limen_decision_code(decision);
		if (code != 403)
			atomic_fetch_add(&crowd->wrong, 1);
		limen_decision_free(decision);
	}
	limen_request_free(req);
	return NULL;
}

static bool
change_addresses(void)
{
	for (int i = 0; i < CHANGES; i++) {
		if (!local_net_set_ipv4(i % 2 == 0 ? "192.0.2.1" : "192.0.2.2", NULL))
			return false;
		usleep(2000);
	}
	return true;
}

static int
crowd_and_change(void)
{
	struct crowd crowd = { .engine = load("localif") };
	pthread_t threads[THREADS];
	bool changed;

	if (crowd.engine == NULL)
		return LOCAL_NET_FAILED;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, ask_until_stopped, &crowd);
	changed = change_addresses();
	atomic_store(&crowd.stop, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	limen_engine_free(crowd.engine);
	if (!changed)
		return LOCAL_NET_SKIP;
	return atomic_load(&crowd.wrong) == 0 ? LOCAL_NET_OK : LOCAL_NET_FAILED;
}

static void
test_crowd(void)
{
	int result = local_net_run(crowd_and_change);

	if (result == LOCAL_NET_SKIP)
		suite_skip("no network of its own to change");
	else
		CU_ASSERT_EQUAL(result, LOCAL_NET_OK);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the status tells how many addresses there are", test_status },
		{ "threads ask while addresses change", test_crowd },
		{ NULL, NULL }
	};

	return suite_run("support/local_addresses", tests);
}
