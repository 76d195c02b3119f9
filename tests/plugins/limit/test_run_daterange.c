/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_daterange.c - the limit "run-daterange" through the real engine. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plugin.h"
#include "suite.h"

#define RUN(start, duration) \
	"{\"run_schedule\":{\"start\":\"" start "\",\"duration\":\"" duration "\"}}"
#define RANGE(start, end)   "{\"start\":\"" start "\",\"end\":\"" end "\"}"
#define OVERLAP(start, end) "{\"start\":\"" start "\",\"end\":\"" end "\",\"overlap\":true}"
#define MISMATCH            "Ranges do not match"
#define LAST                { NULL, NULL, NULL, LIMEN_ERROR, NULL }

static void
check_range(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_LIMIT, "run-daterange", data, cases);
}

static void
test_inside(void)
{
	static const struct plugin_case cases[] = {
		{ "a second before the start", RUN("2017-06-20T23:59:59Z", "PT10S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		{ "a microsecond before the start", RUN("2017-06-20T23:59:59.999999Z", "PT10S"),
		  NULL, LIMEN_FAIL, MISMATCH },
		{ "at the start", RUN("2017-06-21T00:00:00Z", "PT10S"), NULL, LIMEN_PASS, NULL },
		{ "a second after the start", RUN("2017-06-21T00:00:01Z", "PT10S"), NULL,
		  LIMEN_PASS, NULL },
		{ "of no length, at the start", RUN("2017-06-21T00:00:00Z", "PT0S"), NULL,
		  LIMEN_PASS, NULL },
		{ "up to a second before the end", RUN("2017-06-21T23:59:49Z", "PT10S"), NULL,
		  LIMEN_PASS, NULL },
		{ "up to a microsecond before the end",
		  RUN("2017-06-21T23:59:50Z", "PT9.999999S"), NULL, LIMEN_PASS, NULL },
		{ "up to the end", RUN("2017-06-21T23:59:50Z", "PT10S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "up to a second after the end", RUN("2017-06-21T23:59:51Z", "PT10S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		{ "from the end on", RUN("2017-06-22T00:00:00Z", "PT10S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "around", RUN("2017-06-20T00:00:00Z", "P4D"), NULL, LIMEN_FAIL, MISMATCH },
		LAST
	};

	check_range(RANGE("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"), cases);
}

/* pScheduler 5.2: a run overlaps that is going on at an end of the range. */
static void
test_overlap(void)
{
	static const struct plugin_case cases[] = {
		{ "up to a second before the start", RUN("2017-06-20T23:59:49Z", "PT10S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		{ "up to the start", RUN("2017-06-20T23:59:50Z", "PT10S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "up to a second after the start", RUN("2017-06-20T23:59:51Z", "PT10S"), NULL,
		  LIMEN_PASS, NULL },
		{ "inside", RUN("2017-06-21T12:00:00Z", "PT10S"), NULL, LIMEN_PASS, NULL },
		{ "up to the end", RUN("2017-06-21T23:59:50Z", "PT10S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "up to a second after the end", RUN("2017-06-21T23:59:51Z", "PT10S"), NULL,
		  LIMEN_PASS, NULL },
		{ "from the end on", RUN("2017-06-22T00:00:00Z", "PT10S"), NULL, LIMEN_PASS,
		  NULL },
		{ "of no length, at the end", RUN("2017-06-22T00:00:00Z", "PT0S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		{ "from a second after the end on", RUN("2017-06-22T00:00:01Z", "PT10S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		{ "around", RUN("2017-06-20T00:00:00Z", "P4D"), NULL, LIMEN_PASS, NULL },
		{ "from the start to the end", RUN("2017-06-21T00:00:00Z", "P1D"), NULL,
		  LIMEN_PASS, NULL },
		LAST
	};

	check_range(OVERLAP("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"), cases);
}

static void
test_zones(void)
{
	static const struct plugin_case cases[] = {
		{ "the start seen from the east", RUN("2017-06-21T05:30:00+05:30", "PT1S"), NULL,
		  LIMEN_PASS, NULL },
		{ "a second before it", RUN("2017-06-21T05:29:59+05:30", "PT1S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "the start seen from the west", RUN("2017-06-20T16:00:00-0800", "PT1S"), NULL,
		  LIMEN_PASS, NULL },
		{ "a second before it", RUN("2017-06-20T15:59:59-0800", "PT1S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		LAST
	};

	check_range(RANGE("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"), cases);
	check_range(RANGE("2017-06-20T20:00:00-04:00", "2017-06-22T09:00:00+09:00"), cases);
}

/* docs/decisions/0008-times.md: local time; main() sets a zone five hours behind UTC. */
static void
test_without_zone(void)
{
	static const struct plugin_case cases[] = {
		{ "a second before", RUN("2017-06-21T04:59:59Z", "PT1S"), NULL, LIMEN_FAIL,
		  MISMATCH },
		{ "at the start", RUN("2017-06-21T05:00:00Z", "PT1S"), NULL, LIMEN_PASS, NULL },
		{ "at the start, without a zone too", RUN("2017-06-21T00:00:00", "PT1S"), NULL,
		  LIMEN_PASS, NULL },
		{ "a second before, without a zone too", RUN("2017-06-20T23:59:59", "PT1S"), NULL,
		  LIMEN_FAIL, MISMATCH },
		LAST
	};

	check_range(RANGE("2017-06-21T00:00:00", "2017-09-22T23:59:59"), cases);
	check_range(RANGE("2017-06-21T00:00:00", "2017-09-22T23:59:59Z"), cases);
}

static void
test_leap_day_and_year_end(void)
{
	static const struct plugin_case leap[] = {
		{ "before", RUN("2020-02-28T23:59:59Z", "PT1S"), NULL, LIMEN_FAIL, MISMATCH },
		{ "first second", RUN("2020-02-29T00:00:00Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "last second", RUN("2020-02-29T23:59:59Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "after", RUN("2020-03-01T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL, MISMATCH },
		LAST
	};
	static const struct plugin_case year_end[] = {
		{ "across", RUN("2019-12-31T23:59:59Z", "PT2S"), NULL, LIMEN_PASS, NULL },
		{ "too late", RUN("2019-12-31T23:59:59Z", "PT1H1S"), NULL, LIMEN_FAIL, MISMATCH },
		LAST
	};

	check_range(RANGE("2020-02-29T00:00:00Z", "2020-03-01T00:00:00Z"), leap);
	check_range(RANGE("2019-12-31T23:00:00Z", "2020-01-01T01:00:00Z"), year_end);
}

static void
test_empty_range(void)
{
	static const struct plugin_case inside[] = {
		{ "at it", RUN("2017-06-21T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL, MISMATCH },
		LAST
	};
	static const struct plugin_case overlap[] = {
		{ "at it", RUN("2017-06-21T00:00:00Z", "PT1S"), NULL, LIMEN_PASS, NULL },
		{ "up to it", RUN("2017-06-20T23:59:59Z", "PT1S"), NULL, LIMEN_FAIL, MISMATCH },
		{ "across it", RUN("2017-06-20T23:59:59Z", "PT2S"), NULL, LIMEN_PASS, NULL },
		LAST
	};

	check_range(RANGE("2017-06-21T00:00:00Z", "2017-06-21T00:00:00Z"), inside);
	check_range(OVERLAP("2017-06-21T00:00:00Z", "2017-06-21T00:00:00Z"), overlap);
}

static void
test_unreadable_runs(void)
{
	static const struct plugin_case cases[] = {
		{ "null", "{\"run_schedule\":null}", NULL, LIMEN_ERROR, "'start'" },
		{ "no start", "{\"run_schedule\":{\"duration\":\"PT1S\"}}", NULL, LIMEN_ERROR,
		  "'start'" },
		{ "no duration", "{\"run_schedule\":{\"start\":\"2017-06-21T00:00:00Z\"}}", NULL,
		  LIMEN_ERROR, "'duration'" },
		{ "a bad start", RUN("yesterday", "PT1S"), NULL, LIMEN_ERROR,
		  "Invalid ISO8601 date" },
		{ "a bad duration", RUN("2017-06-21T00:00:00Z", "1 s"), NULL, LIMEN_ERROR,
		  "Invalid ISO duration" },
		{ "a month", RUN("2017-06-21T00:00:00Z", "P1M"), NULL, LIMEN_ERROR,
		  "Cannot support months or years" },
		{ "the end of time", RUN("9999-12-31T23:59:59Z", "PT1S"), NULL, LIMEN_ERROR,
		  "date value out of range" },
		{ "backwards", RUN("2018-06-21T00:00:00Z", "-P400D"), NULL, LIMEN_ERROR,
		  "Run ends before it starts" },
		LAST
	};

	check_range(RANGE("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"), cases);
	check_range(OVERLAP("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"), cases);
}

/* The core does not ask a limit about runs when there is no run. */
static void
test_task(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_LIMIT, "run-daterange",
	                             RANGE("2017-06-21T00:00:00Z", "2017-06-22T00:00:00Z"));

	if (kit == NULL)
		return;
	limen_kit_run(kit, "{\"test\":{}}", NULL);
	CU_ASSERT_TRUE(limen_decision_admitted(limen_kit_decision(kit)));
	limen_kit_free(kit);
}

/* The rule second by second: is the run going on in one of the seconds listed? */
static bool
goes_on(int from, int to, int start, int end)
{
	for (int second = from; second < to; second++) {
		if (second == start || second == end)
			return true;
	}
	return false;
}

static void
ask_at_random(limen_kit *kit, int start, int end, bool overlap, unsigned *seed)
{
	char document[256];
	int from = rand_r(seed) % 40;
	int to = from + rand_r(seed) % 19;
	bool want = (from >= start && to < end) || (overlap && goes_on(from, to, start, end));

	snprintf(document, sizeof document, RUN("2020-01-01T00:00:%02dZ", "PT%dS"), from,
	         to - from);
	plugin_assert(limen_kit_run(kit, document, NULL) == (want ? LIMEN_PASS : LIMEN_FAIL),
	              __FILE__, __LINE__, "%s in %d..%d, overlap %d", document, start, end,
	              overlap);
}

static void
test_against_seconds(void)
{
	unsigned seed = 1;
	char data[256];
	limen_kit *kit;

	for (int i = 0; i < 100; i++) {
		int start = rand_r(&seed) % 20;
		int end = start + rand_r(&seed) % 20;
		bool overlap = rand_r(&seed) % 2 == 0;

		snprintf(data, sizeof data,
		         "{\"start\":\"2020-01-01T00:00:%02dZ\",\"end\":\"2020-01-01T00:00:%02dZ\","
		         "\"overlap\":%s}", start, end, overlap ? "true" : "false");
		kit = plugin_open(LIMEN_KIND_LIMIT, "run-daterange", data);
		for (int j = 0; j < 20 && kit != NULL; j++)
			ask_at_random(kit, start, end, overlap, &seed);
		limen_kit_free(kit);
	}
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"{}", "[]", "{\"start\":\"2017-06-21T00:00:00Z\"}",
		"{\"end\":\"2017-06-21T00:00:00Z\"}", RANGE("2017-06-21", "2017-06-22"),
		RANGE("2017-06-21T00:00:00Z", "2017-06-31T00:00:00Z"),
		"{\"start\":0,\"end\":1}",
		"{\"start\":\"2017-06-21T00:00:00Z\",\"end\":\"2017-06-22T00:00:00Z\","
		"\"overlap\":\"yes\"}",
		"{\"start\":\"2017-06-21T00:00:00Z\",\"end\":\"2017-06-22T00:00:00Z\","
		"\"invert\":true}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "run-daterange", wrong[i], "/limits/0/data");
	plugin_refuse(LIMEN_KIND_LIMIT, "run-daterange",
	              RANGE("2017-06-21T00:00:01Z", "2017-06-21T00:00:00Z"),
	              "At /limits/0/data/end: End must be after start.");
	plugin_refuse(LIMEN_KIND_LIMIT, "run-daterange",
	              RANGE("2017-06-21T00:00:00Z", "2017-06-21T00:59:59+01:00"),
	              "End must be after start.");
	plugin_refuse(LIMEN_KIND_LIMIT, "run-daterange",
	              RANGE("2017-06-20T24:00:00Z", "2017-06-22T24:00Z"),
	              "At /limits/0/data/end: hour must be in 0..23");
}

static void
test_notes(void)
{
	static const char type[] = "run-daterange";

	plugin_remark(LIMEN_KIND_LIMIT, type, RANGE("2017-06-21T00:00:00Z", "2017-06-22T00:00+02"),
	              "");
	plugin_remark(LIMEN_KIND_LIMIT, type, RANGE("2017-06-21T00:00:00", "2017-06-22T00:00:00"),
	              "note: At /limits/0/data/start: pScheduler 5.2 never passes");
	plugin_remark(LIMEN_KIND_LIMIT, type, RANGE("2017-06-21T00:00:00z", "2017-06-22T00:00:00"),
	              "note: At /limits/0/data/start: pScheduler 5.2 never passes");
	plugin_remark(LIMEN_KIND_LIMIT, type, RANGE("2017-06-21T00:00:00", "2017-06-23T00:00:00Z"),
	              "note: At /limits/0/data/start: pScheduler 5.2 refuses");
	plugin_remark(LIMEN_KIND_LIMIT, type, RANGE("2017-06-21T00:00:00Z", "2017-06-23T00:00:00"),
	              "note: At /limits/0/data/end: pScheduler 5.2 refuses");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "run-daterange");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "without overlap, around both ends", test_inside },
		{ "with overlap, around both ends", test_overlap },
		{ "zones do not matter", test_zones },
		{ "without a zone, local time", test_without_zone },
		{ "a leap day and a year's end", test_leap_day_and_year_end },
		{ "a range of no length", test_empty_range },
		{ "runs that cannot be read", test_unreadable_runs },
		{ "a task passes", test_task },
		{ "random ranges and runs", test_against_seconds },
		{ "what the data has to be", test_data },
		{ "what pScheduler makes of times without a zone is noted", test_notes },
		{ "the example loads", test_example },
		{ NULL, NULL }
	};

	setenv("TZ", "EST5", 1);
	tzset();
	return suite_run("limit/run-daterange", tests);
}
