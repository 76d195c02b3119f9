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
start(const char *data)
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
	         "\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{%s}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         data);
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
	limen_engine *engine = start("\"rate\":\"1/P1D\",\"burst\":2");

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
	limen_engine *engine = start("\"rate\":\"5/PT1S\",\"burst\":2");
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

/* Periods are those of the clock; one that is over stays so, and the later one goes on. */
static void
test_windows(void)
{
	static const char *const windows[] = { "\"rate\":\"1/day\",\"window\":\"fixed\"",
		                               "\"rate\":\"1/day\",\"window\":\"calendar\"",
		                               "\"rate\":\"1/week\",\"window\":\"calendar\"" };

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		limen_engine *engine = start(windows[i]);

		set_clock(0);
		is_admitted(engine);
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(7 * SET_CLOCK_DAY);
		CU_ASSERT_TRUE(is_admitted(engine));
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(0);
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(-30 * SET_CLOCK_DAY);
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(0);
		limen_engine_free(engine);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a clock that is set forward fills no bucket", test_forward },
		{ "a clock that is set back keeps none from filling", test_back },
		{ "windows follow the clock, and only forwards", test_windows },
		{ NULL, NULL },
	};

	return suite_run("memory, clock", tests);
}
