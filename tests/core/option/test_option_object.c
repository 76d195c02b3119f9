/* SPDX-License-Identifier: Apache-2.0 */
#include "option_case.h"

typedef struct fields {
	limen_duration duration;
	limen_timestamp timestamp;
	limen_duration time_of_day;
	limen_date date;
	const limen_string_match *match;
	limen_transform transform;
} fields;

#define ROWS(row) (const limen_option[]){ row, LIMEN_OPT_END }

#define ISO_HINT " (such as 30s, 5m, PT4H or P1D)"

static void
test_duration(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"PT0S\"}", "" },
		{ "{\"k\": \"P1W2DT3H4M5.5S\"}", "" },
		{ "{\"k\": \"5m\"}",
		  "note /k 1:7 pScheduler 5.2 refuses '5m': it takes ISO 8601 durations" },
		{ "{\"k\": \"5 m\"}", "problem /k 1:7 '5 m' is not a valid ISO 8601 duration." ISO_HINT },
		{ "{\"k\": \"\"}", "problem /k 1:7 '' is not a valid ISO 8601 duration." ISO_HINT },
		{ "{\"k\": \"P1M\"}",
		  "problem /k 1:7 'P1M' is not a valid ISO 8601 duration." ISO_HINT },
		{ "{\"k\": \"-PT1S\"}",
		  "problem /k 1:7 '-PT1S' is not a valid ISO 8601 duration." ISO_HINT },
		{ "{\"k\": \"PT1S\\u0000\"}",
		  "problem /k 1:7 'PT1S\\x00' is not a valid ISO 8601 duration." ISO_HINT },
		{ "{\"k\": \"P999999999999D\"}",
		  "problem /k 1:7 'P999999999999D' is too long a duration." },
		{ "{\"k\": 5}", "problem /k 1:7 5 is not of type 'string'" },
		{ NULL, NULL },
	};
	fields got = { .duration = 0 };

	check_options(ROWS(LIMEN_OPT_DURATION(fields, duration, .key = "k")), &got, cases);
}

static void
test_duration_bounds(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"PT0.999999S\"}", "problem /k 1:7 'PT0.999999S' is too short." },
		{ "{\"k\": \"PT1S\"}", "" },
		{ "{\"k\": \"PT1M\"}", "" },
		{ "{\"k\": \"PT1M0.000001S\"}", "problem /k 1:7 'PT1M0.000001S' is too long." },
		{ NULL, NULL },
	};
	static const option_case least[] = {
		{ "{\"k\": \"PT0.999999S\"}", "problem /k 1:7 'PT0.999999S' is too short." },
		{ "{\"k\": \"P9999999D\"}", "" },
		{ NULL, NULL },
	};
	fields got = { .duration = 0 };

	check_options(ROWS(LIMEN_OPT_DURATION(fields, duration, .key = "k", .minimum = LIMEN_SECOND,
	                                      .maximum = 60 * LIMEN_SECOND)),
	              &got, cases);
	check_options(
		ROWS(LIMEN_OPT_DURATION(fields, duration, .key = "k", .minimum = LIMEN_SECOND)),
		&got, least);
}

static void
test_timestamp(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"2026-06-21T08:00:00+02:00\"}", "" },
		{ "{\"k\": \"2026-13-01T00:00:00Z\"}",
		  "problem /k 1:7 month must be in 1..12 (such as 2026-06-21T08:00:00Z)" },
		{ "{\"k\": \"\"}", "problem /k 1:7 Invalid ISO8601 date (such as 2026-06-21T08:00:00Z)" },
		{ "{\"k\": 1}", "problem /k 1:7 1 is not of type 'string'" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_TIMESTAMP(fields, timestamp, .key = "k"));
	fields got = { .duration = 0 };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": \"1970-01-01T02:00:01+02:00\"}", &got, NULL);
	CU_ASSERT_EQUAL(got.timestamp.time, LIMEN_SECOND);
	CU_ASSERT_EQUAL(got.timestamp.offset, 7200);
	CU_ASSERT_TRUE(got.timestamp.zoned);
}

#define NO_TIME(text) "problem /k 1:7 " text " is not a time of day: use HH:MM or HH:MM:SS"
#define NO_DATE(text) "problem /k 1:7 " text " is not a date: use YYYY-MM-DD"

static void
test_time_of_day(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"23:59\"}", "" },
		{ "{\"k\": \"23:59:59\"}", "" },
		{ "{\"k\": \"24:00\"}", "" },
		{ "{\"k\": \"24:00:00\"}", "" },
		{ "{\"k\": \"24:00:01\"}", NO_TIME("'24:00:01'") },
		{ "{\"k\": \"24:01\"}", NO_TIME("'24:01'") },
		{ "{\"k\": \"25:00\"}", NO_TIME("'25:00'") },
		{ "{\"k\": \"12:60\"}", NO_TIME("'12:60'") },
		{ "{\"k\": \"12:00:60\"}", NO_TIME("'12:00:60'") },
		{ "{\"k\": \"8:00\"}", NO_TIME("'8:00'") },
		{ "{\"k\": \"0800\"}", NO_TIME("'0800'") },
		{ "{\"k\": \"-1:00\"}", NO_TIME("'-1:00'") },
		{ "{\"k\": \"08:00:\"}", NO_TIME("'08:00:'") },
		{ "{\"k\": \"08:00.00\"}", NO_TIME("'08:00.00'") },
		{ "{\"k\": \"\"}", NO_TIME("''") },
		{ "{\"k\": 8}", "problem /k 1:7 8 is not of type 'string'" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_TIME_OF_DAY(fields, time_of_day, .key = "k",
	                                                      .fallback = "06:30"));
	fields got = { .duration = 0 };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": \"22:05:07\"}", &got, NULL);
	CU_ASSERT_EQUAL(got.time_of_day, (22 * 3600 + 5 * 60 + 7) * LIMEN_SECOND);
	fill_options(rows, "{\"k\": \"24:00\"}", &got, NULL);
	CU_ASSERT_EQUAL(got.time_of_day, 24 * 3600 * LIMEN_SECOND);
	fill_options(rows, "{}", &got, NULL);
	CU_ASSERT_EQUAL(got.time_of_day, (6 * 60 + 30) * 60 * LIMEN_SECOND);
}

static void
test_date(void)
{
	static const option_case cases[] = {
		{ "{\"k\": \"0001-01-01\"}", "" },
		{ "{\"k\": \"9999-12-31\"}", "" },
		{ "{\"k\": \"2028-02-29\"}", "" },
		{ "{\"k\": \"2026-02-29\"}", NO_DATE("'2026-02-29'") },
		{ "{\"k\": \"0000-12-31\"}", NO_DATE("'0000-12-31'") },
		{ "{\"k\": \"2026-00-01\"}", NO_DATE("'2026-00-01'") },
		{ "{\"k\": \"2026-13-01\"}", NO_DATE("'2026-13-01'") },
		{ "{\"k\": \"2026-06-00\"}", NO_DATE("'2026-06-00'") },
		{ "{\"k\": \"2026-06-31\"}", NO_DATE("'2026-06-31'") },
		{ "{\"k\": \"2026-6-21\"}", NO_DATE("'2026-6-21'") },
		{ "{\"k\": \"2026/06/21\"}", NO_DATE("'2026/06/21'") },
		{ "{\"k\": \"2026-W26-1\"}", NO_DATE("'2026-W26-1'") },
		{ "{\"k\": \"2026-06-21Z\"}", NO_DATE("'2026-06-21Z'") },
		{ "{\"k\": null}", "problem /k 1:7 None is not of type 'string'" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_DATE(fields, date, .key = "k"));
	fields got = { .duration = 0 };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": \"2026-06-21\"}", &got, NULL);
	CU_ASSERT(got.date.year == 2026 && got.date.month == 6 && got.date.day == 21);
	fill_options(rows, "{\"k\": \"2026-06-31\"}", &got, NULL);
	CU_ASSERT_EQUAL(got.date.day, 21);
}

static void
test_match(void)
{
	static const option_case cases[] = {
		{ "{\"k\": {\"style\": \"regex\", \"match\": \"^a.c$\", \"invert\": true,"
		  " \"case-insensitive\": true}}",
		  "note /k/case-insensitive 1:80 pScheduler 5.2 keeps case significant in a regex and"
		  " skips the first two characters; limen ignores case" },
		{ "{\"k\": {\"style\": \"regex\", \"match\": \"a\", \"case-insensitive\": false}}",
		  "" },
		{ "{\"k\": {\"style\": \"contains\", \"match\": \"a\", \"case-insensitive\": true}}",
		  "" },
		{ "{\"k\": \"abc\"}", "problem /k 1:7 'abc' is not of type 'object'" },
		{ "{\"k\": {\"style\": \"exact\", \"match\": 1}}",
		  "problem /k/match 1:35 1 is not of type 'string'" },
		{ "{\"k\": {\"style\": \"exact\", \"match\": \"a\", \"invert\": \"no\"}}",
		  "problem /k/invert 1:50 'no' is not of type 'boolean'" },
		{ NULL, NULL },
	};
	const limen_option *rows = ROWS(LIMEN_OPT_MATCH(fields, match, .key = "k"));
	fields got = { .match = NULL };

	check_options(rows, &got, cases);
	fill_options(rows, "{\"k\": {\"style\": \"contains\", \"match\": \"B\","
	             " \"case-insensitive\": true, \"invert\": true}}", &got, NULL);
	CU_ASSERT_EQUAL(limen_string_match_test(got.match, "abc", 3), LIMEN_FAIL);
	CU_ASSERT_EQUAL(limen_string_match_test(got.match, "ac", 2), LIMEN_PASS);
}

/* The text is the pattern compiler's; the place is that of the pattern. */
static void
test_bad_pattern(void)
{
	const limen_option *rows = ROWS(LIMEN_OPT_MATCH(fields, match, .key = "k"));
	fields got = { .match = NULL };
	const char *text = fill_options(rows, "{\"k\": {\"style\": \"regex\", \"match\": \"a(\"}}",
	                                &got, NULL);

	CU_ASSERT_EQUAL(strncmp(text, "problem /k/match 1:35 ", 22), 0);
	CU_ASSERT_PTR_NULL(got.match);
	/* Kept as exact text, the same is no mistake. */
	CU_ASSERT_STRING_EQUAL(
		fill_options(rows, "{\"k\": {\"style\": \"exact\", \"match\": \"a(\"}}", &got, NULL),
		"");
}

static const option_case transform_cases[] = {
	{ "{\"k\": {\"script\": \".\"}}", "" },
	{ "{\"k\": {\"script\": []}}", "" },
	{ "{\"k\": {\"script\": [\".\", \"| .\"], \"args\": {\"a\": 1}, \"output-raw\": true}}", "" },
	{ "{\"k\": {}}",
	  "problem /k 1:7 'script' is a required property"
	  " (script: The jq script, a string or an array of lines)" },
	{ "{\"k\": {\"script\": 1}}",
	  "problem /k/script 1:18 1 is not valid under any of the given schemas" },
	{ "{\"k\": {\"script\": [\".\", 1, 2]}}",
	  "problem /k/script/1 1:24 1 is not of type 'string' (write it in quotes)\n"
	  "problem /k/script/2 1:27 2 is not of type 'string' (write it in quotes)" },
	{ "{\"k\": {\"script\": \".\", \"args\": []}}",
	  "problem /k/args 1:31 (secret) is not of type 'object'" },
	{ "{\"k\": {\"script\": \".\\u0000\"}}",
	  "problem /k/script 1:18 '.\\x00' holds a NUL character" },
	{ "{\"k\": {\"script\": [\".\", \"a\\u0000b\"]}}",
	  "problem /k/script/1 1:24 'a\\x00b' holds a NUL character" },
	{ NULL, NULL },
};

static void
test_transform(void)
{
	const limen_option *rows = ROWS(LIMEN_OPT_TRANSFORM(fields, transform, .key = "k"));
	fields got = { .match = NULL };

	check_options(rows, &got, transform_cases);
	fill_options(rows, "{\"k\": {\"script\": [\"a\", \"\", \"b\"]}}", &got, NULL);
	CU_ASSERT_STRING_EQUAL(got.transform.script, "a\n\nb");
	CU_ASSERT_FALSE(limen_value_exists(got.transform.args));
	fill_options(rows, "{\"k\": {\"script\": [\"\", \"b\"]}}", &got, NULL);
	CU_ASSERT_STRING_EQUAL(got.transform.script, "\nb");
	CU_ASSERT_EQUAL(value_place(got.transform.where).column, 18);
	fill_options(rows, "{\"k\": {\"script\": []}}", &got, NULL);
	CU_ASSERT_STRING_EQUAL(got.transform.script, "");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "durations", test_duration },
		{ "durations keep to both bounds", test_duration_bounds },
		{ "timestamps", test_timestamp },
		{ "times of day", test_time_of_day },
		{ "dates", test_date },
		{ "string matches", test_match },
		{ "a pattern that does not compile is a problem at its place", test_bad_pattern },
		{ "jq transforms", test_transform },
		{ NULL, NULL },
	};
	int status = suite_run("core/option_object", tests);

	option_run_free();
	return status;
}
