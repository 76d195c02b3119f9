/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_run_clock.c - the limits about times of runs while somebody sets the clock of
 * the system: a run says itself when it is to be, and nothing else is asked.
 */
#include <limen/host.h>

#include "plugin.h"
#include "set_clock.h"
#include "suite.h"

#define RUN(start) "{\"run_schedule\":{\"start\":\"" start "\",\"duration\":\"PT1H\"}}"
#define LAST       { NULL, NULL, NULL, LIMEN_ERROR, NULL }

static void
check_schedule(void)
{
	static const struct plugin_case cases[] = {
		{ "in its hours", RUN("2020-01-01T04:00:00Z"), NULL, LIMEN_PASS, NULL },
		{ "before them", RUN("2020-01-01T02:00:00Z"), NULL, LIMEN_FAIL, "Mismatch on hour" },
		LAST
	};

	plugin_check(LIMEN_KIND_LIMIT, "run-schedule", "{\"hour\":[{\"lower\":4,\"upper\":7}]}",
	             cases);
}

static void
check_range(void)
{
	static const struct plugin_case cases[] = {
		{ "in its year", RUN("2020-01-01T04:00:00Z"), NULL, LIMEN_PASS, NULL },
		{ "before it", RUN("2019-01-01T04:00:00Z"), NULL, LIMEN_FAIL,
		  "Ranges do not match" },
		LAST
	};

	plugin_check(LIMEN_KIND_LIMIT, "run-daterange",
	             "{\"start\":\"2020-01-01T00:00:00Z\",\"end\":\"2021-01-01T00:00:00Z\"}", cases);
}

static void
test_clock(void)
{
	static const time_t later[] = { 0, 400 * SET_CLOCK_DAY, -400 * SET_CLOCK_DAY };
	limen_time start = limen_host_wall_time();

	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		set_clock(later[i]);
		CU_ASSERT(limen_host_wall_time() >= start + later[i] * LIMEN_SECOND);
		CU_ASSERT(limen_host_wall_time() < start + (later[i] + SET_CLOCK_DAY) * LIMEN_SECOND);
		check_schedule();
		check_range();
	}
	set_clock(0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a clock that is set moves no run", test_clock },
		{ NULL, NULL },
	};

	return suite_run("limit/run clock", tests);
}
