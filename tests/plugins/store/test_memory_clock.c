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

static void
load(limen_engine *engine, const char *data)
{
	char policy[1024];

	snprintf(policy, sizeof(policy),
	         "{\"schema\":4,\"identifiers\":[{\"name\":\"i\",\"description\":\"\","
	         "\"type\":\"always\",\"data\":{}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{%s}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         data);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, NULL, policy, strlen(policy), NULL),
	                      LIMEN_OK);
}

/* One engine with one bucket. */
static limen_engine *
start(const char *data)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);

	CU_ASSERT_FATAL(engine != NULL);
	load(engine, data);
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

static void
note_reset(void *data, const limen_bucket *bucket)
{
	*(limen_duration *)data = bucket->reset;
}

/* A list tells the time until the period ends by the clock that the period goes by. */
static void
check_listed(limen_engine *engine)
{
	limen_duration reset = -1;

	CU_ASSERT_EQUAL(limen_engine_each_bucket(engine, NULL, 1, 10 * LIMEN_SECOND, note_reset,
	                                         &reset, NULL),
	                LIMEN_OK);
	CU_ASSERT(reset >= 0 && reset <= 7 * SET_CLOCK_DAY * LIMEN_SECOND);
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
		check_listed(engine);
		set_clock(0);
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(-30 * SET_CLOCK_DAY);
		CU_ASSERT_FALSE(is_admitted(engine));
		set_clock(0);
		limen_engine_free(engine);
	}
}

static void
copy_zone(const char *name, const char *path)
{
	char command[200];

	snprintf(command, sizeof(command), "cp /usr/share/zoneinfo/%s %s", name, path);
	CU_ASSERT_EQUAL(system(command), 0);
}

/*
 * New data of a zone takes effect at a reload: in the first and the third its clocks are a day behind
 * those in the second, and a day that is over is not entered again.
 */
static void
test_zone_data(void)
{
	static const char *const data[] = { "Etc/GMT+12", "Etc/GMT-12", "Etc/GMT+12" };
	static const char day[] = "\"rate\":\"1/day\",\"window\":\"calendar\","
				  "\"timezone\":\"Test\"";
	char folder[] = "/tmp/limen-zones-XXXXXX";
	char path[sizeof(folder) + 5];
	limen_engine *engine = NULL;

	if (access("/usr/share/zoneinfo/Etc/GMT+12", R_OK) != 0) {
		suite_skip("no time zones");
		return;
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/Test", folder);
	setenv("TZDIR", folder, 1);
	for (size_t i = 0; i < 3; i++) {
		copy_zone(data[i], path);
		if (engine == NULL)
			engine = start(day);
		else
			load(engine, day);
		CU_ASSERT_EQUAL(is_admitted(engine), i < 2);
		CU_ASSERT_FALSE(is_admitted(engine));
	}
	limen_engine_free(engine);
	unsetenv("TZDIR");
	unlink(path);
	rmdir(folder);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a clock that is set forward fills no bucket", test_forward },
		{ "a clock that is set back keeps none from filling", test_back },
		{ "windows follow the clock, and only forwards", test_windows },
		{ "new data of a zone takes effect at a reload", test_zone_data },
		{ NULL, NULL },
	};

	return suite_run("memory, clock", tests);
}
