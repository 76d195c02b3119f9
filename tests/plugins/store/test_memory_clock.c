/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory_clock.c - buckets while somebody sets the clock of the system.
 */
#include <limen/limen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "set_clock.h"
#include "suite.h"

/* One engine with one bucket. */
static limen_engine *
start(const char *rate)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);
	char policy[1024];

	snprintf(policy, sizeof(policy),
	         "{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"description\":\"\","
	         "\"type\":\"always\",\"data\":{}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{\"rate\":\"%s\","
	         "\"burst\":2}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         rate);
	CU_ASSERT_FATAL(engine != NULL);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, NULL, policy, strlen(policy), NULL),
	                      LIMEN_OK);
	return engine;
}

static bool
is_admitted(limen_engine *engine)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	bool admitted;

	CU_ASSERT_EQUAL_FATAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	admitted = limen_decision_admitted(decision);
	limen_decision_free(decision);
	limen_request_free(req);
	return admitted;
}

static void
test_forward(void)
{
	limen_engine *engine = start("1/P1D");

	CU_ASSERT_TRUE(is_admitted(engine));
	CU_ASSERT_TRUE(is_admitted(engine));
	CU_ASSERT_FALSE(is_admitted(engine));
	set_clock(100 * SET_CLOCK_DAY);
	CU_ASSERT_FALSE(is_admitted(engine));
	set_clock(0);
	CU_ASSERT_FALSE(is_admitted(engine));
	limen_engine_free(engine);
}

static void
test_back(void)
{
	limen_engine *engine = start("5/PT1S");
	bool admitted = false;

	is_admitted(engine);
	is_admitted(engine);
	set_clock(-100 * SET_CLOCK_DAY);
	is_admitted(engine);
	for (int i = 0; i < 3000 && !admitted; i++) {
		usleep(10000);
		admitted = is_admitted(engine);
	}
	CU_ASSERT_TRUE(admitted);
	set_clock(0);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a clock that is set forward fills no bucket", test_forward },
		{ "a clock that is set back keeps none from filling", test_back },
		{ NULL, NULL },
	};

	return suite_run("memory, clock", tests);
}
