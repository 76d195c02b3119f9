/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/duration.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"

#define BAD "Invalid ISO8601 date"
#define RANGE "date value out of range"
#define DAY "day is out of range for month"
#define MONTH "month must be in 1..12"
#define YEAR "year 0 is out of range"
#define HOUR_OFF "hour must be in 0..23"
#define MINUTE_OFF "minute must be in 0..59"
#define SECOND_OFF "second must be in 0..59"

#define NEW_YEAR_2025 INT64_C(1735689600000000)

static const struct {
	const char *text;
	limen_time time;
	int32_t offset;
} zoned[] = {
	{ "1970-01-01T00:00:00Z", 0, 0 },
	{ "1970-01-01T00Z", 0, 0 },
	{ "19700101T0000Z", 0, 0 },
	{ "1970001T000000Z", 0, 0 },
	{ "1970-01T00Z", 0, 0 },
	{ "197001T00Z", 0, 0 },
	{ "1970-W01-4T00Z", 0, 0 },
	{ "1970W014T00Z", 0, 0 },
	{ "1970-W02T00Z", INT64_C(345600000000), 0 },
	{ "1970W02T00Z", INT64_C(345600000000), 0 },
	/* The two sides of a date need not have the same form. */
	{ "19700101T00:00:00Z", 0, 0 },
	{ "1970-01-01T000000Z", 0, 0 },
	{ "1970-01-01T01:00:00+01", 0, 3600 },
	{ "1970-01-01T01:30:00+0130", 0, 5400 },
	{ "1970-01-01T01:30:00+01:30", 0, 5400 },
	{ "1969-12-31T22:30-01:30", 0, -5400 },
	{ "1970-01-01T23:59+23:59", 0, 86340 },
	{ "1969-12-31T00:01-2359", 0, -86340 },
	{ "1970-01-01T00-00:00", 0, 0 },
	/* The end of a day. */
	{ "2024-12-31T24:00:00Z", NEW_YEAR_2025, 0 },
	{ "2024-12-31T24,000Z", NEW_YEAR_2025, 0 },
	{ "2024-366T2400Z", NEW_YEAR_2025, 0 },
	/* Common years too: isodate counts on from the first day. */
	{ "2025-366T10Z", INT64_C(1767261600000000), 0 },
	/* Leap years, long years and the first and last of both calendars. */
	{ "2024-02-29T00Z", INT64_C(1709164800000000), 0 },
	{ "2000-02-29T00Z", INT64_C(951782400000000), 0 },
	{ "2020-W53-5T00Z", INT64_C(1609459200000000), 0 },
	{ "2020-W53-7T00Z", INT64_C(1609632000000000), 0 },
	{ "2019-W01-1T00Z", INT64_C(1546214400000000), 0 },
	{ "2024-360T00Z", INT64_C(1735084800000000), 0 },
	{ "0001-01-01T00:00:00Z", INT64_C(-62135596800000000), 0 },
	{ "0001-W01-1T00:00:00Z", INT64_C(-62135596800000000), 0 },
	{ "0001-01-01T00:00:00+23:59", INT64_C(-62135683140000000), 86340 },
	{ "9999-12-31T23:59:59.999999Z", INT64_C(253402300799999999), 0 },
	{ "9999-W52-5T23:59:59.999999Z", INT64_C(253402300799999999), 0 },
	{ "9999-12-31T23:59:59.999999-23:59", INT64_C(253402387139999999), -86340 },
	/* Fractions of the last field, halves to the even side; computed by Python. */
	{ "2024-02-29T10.25Z", INT64_C(1709201700000000), 0 },
	{ "2024-02-29T10,1Z", INT64_C(1709201160000000), 0 },
	{ "2024-02-29T10.333333333333Z", INT64_C(1709202000000000), 0 },
	{ "2024-02-29T10:07.7Z", INT64_C(1709201262000000), 0 },
	{ "20240229T1007,000000008Z", INT64_C(1709201220000000), 0 },
	{ "2024-02-29T10:07:59.9999995Z", INT64_C(1709201280000000), 0 },
	{ "2024-02-29T10:07:59.9999985Z", INT64_C(1709201279999998), 0 },
	{ "2024-02-29T10:07:59.99999849999Z", INT64_C(1709201279999998), 0 },
	{ "2024-02-29T10:07:59.0000005Z", INT64_C(1709201279000000), 0 },
	{ "2024-02-29T10:07:59.0000015Z", INT64_C(1709201279000002), 0 },
	{ "2024-12-31T23:59:59.9999999Z", INT64_C(1735689600000000), 0 },
	/* Computed by Python from its own fields. */
	{ "1999-11-30T01:04:52+01", INT64_C(943920292000000), 3600 },
	{ "2017036T070535Z", INT64_C(1486278335000000), 0 },
	{ "3623-W22-1T13:09:34.123514Z", INT64_C(52176488974123514), 0 },
	{ "92470912T213427.814983+0748", INT64_C(229661963187814983), 28080 },
	{ "19950926T155621,764878+00:00", INT64_C(812130981764878), 0 },
	{ "8012343T024835.600861-05", INT64_C(190696664915600861), -18000 },
	{ "2007-W51-7T21:04:03.766676+20:11", INT64_C(1198371183766676), 72660 },
	{ "7565W452T033103.228807-1510", INT64_C(176588188863228807), -54600 },
	{ "2018-W41-2T08:56:08,859077-05", INT64_C(1539093368859077), -18000 },
	{ "3781-04-01T04:14:42+09:07", INT64_C(57157470462000000), 32820 },
};

static const struct {
	const char *text;
	const char *why;
} bad[] = {
	{ "", BAD },
	{ "T", BAD },
	{ "2024-01-01", BAD },
	{ "20240101", BAD },
	{ "2024-01-01 10:00:00Z", BAD },
	{ "2024-01-01t10:00:00Z", BAD },
	{ "2024-01-01T", BAD },
	{ "2024-01-01TZ", BAD },
	{ "T10:00:00Z", BAD },
	{ "2024-01-01T10:00:00TZ", BAD },
	{ "+2024-01-01T10Z", BAD },
	{ "-2024-01-01T10Z", BAD },
	{ "2024T10Z", BAD },
	{ "20T10Z", BAD },
	{ "12024-01-01T10Z", BAD },
	{ "2024-1-01T10Z", BAD },
	{ "2024-01-1T10Z", BAD },
	{ "2024-01-T10Z", BAD },
	{ "2024-T10Z", BAD },
	{ "2024-0101T10Z", BAD },
	{ "202401-01T10Z", BAD },
	{ "2024-01-011T10Z", BAD },
	{ "2024-01-01xT10Z", BAD },
	{ " 2024-01-01T10Z", BAD },
	{ "2024-W1T10Z", BAD },
	{ "2024-W011T10Z", BAD },
	{ "2024W01-1T10Z", BAD },
	{ "2024-W01-T10Z", BAD },
	{ "2024-W01-0T10Z", BAD },
	{ "2024-W01-8T10Z", BAD },
	{ "2024-W00-1T10Z", BAD },
	{ "2024-W53-1T10Z", BAD },
	{ "2024-w01-1T10Z", BAD },
	{ "2024-000T10Z", BAD },
	{ "2024-367T10Z", BAD },
	{ "2023-367T10Z", BAD },
	{ "2023-000T10Z", BAD },
	{ "2024-0011T10Z", BAD },
	{ "0000-01-01T10Z", YEAR },
	{ "2024-00-01T10Z", MONTH },
	{ "2024-13-01T10Z", MONTH },
	{ "2024-01-00T10Z", DAY },
	{ "2024-01-32T10Z", DAY },
	{ "2024-04-31T10Z", DAY },
	{ "2024-02-30T10Z", DAY },
	{ "2023-02-29T10Z", DAY },
	{ "1900-02-29T10Z", DAY },
	{ "9999-12-31T24:00Z", RANGE },
	{ "9999-366T00Z", RANGE },
	{ "9999-W52-6T00Z", RANGE },
	{ "9999-12-31T23:59:59.9999999Z", RANGE },
	{ "2024-01-01T1", BAD },
	{ "2024-01-01Tx", BAD },
	{ "2024-01-01T24:00:00.1Z", HOUR_OFF },
	{ "2024-01-01T24:00:00.0000000001Z", HOUR_OFF },
	{ "2024-01-01T24:01Z", HOUR_OFF },
	{ "2024-01-01T24:00:01Z", HOUR_OFF },
	{ "2024-01-01T25Z", HOUR_OFF },
	{ "2024-01-01T99Z", HOUR_OFF },
	{ "2024-01-01T10:60Z", MINUTE_OFF },
	{ "2024-01-01T10:59:60Z", SECOND_OFF },
	{ "2024-01-01T10+24", BAD },
	{ "2024-01-01T10-24:00", BAD },
	{ "2024-01-01T10+00:60", BAD },
	{ "2024-01-01T10+0060", BAD },
};

/* Refused, but for a run everything behind a complete time is thrown away. */
static const struct {
	const char *text;
	const char *same; /* for a run */
} trailing[] = {
	{ "2024-01-01T10Zx", "2024-01-01T10Z" },
	{ "2024-01-01T10:00:00Z ", "2024-01-01T10Z" },
	{ "2024-01-01T10:00:00ZZ", "2024-01-01T10Z" },
	{ "2024-01-01T10:00:00 Z", "2024-01-01T10" },
	{ "2024-01-01T10:00:00zZ", "2024-01-01T10" },
	{ "2024-01-01T10:0", "2024-01-01T10" },
	{ "2024-01-01T10:", "2024-01-01T10" },
	{ "2024-01-01T103", "2024-01-01T10" },
	{ "2024-01-01T10:300", "2024-01-01T10:30" },
	{ "2024-01-01T10:3000", "2024-01-01T10:30" },
	{ "2024-01-01T1030:00Z", "2024-01-01T10:30" },
	{ "2024-01-01T10:30:1Z", "2024-01-01T10:30" },
	{ "2024-01-01T10.5:30Z", "2024-01-01T10:30" },
	{ "2024-01-01T10.", "2024-01-01T10" },
	{ "2024-01-01T10.Z", "2024-01-01T10" },
	{ "2024-01-01T10+", "2024-01-01T10" },
	{ "2024-01-01T10+1", "2024-01-01T10" },
	{ "2024-01-01T10+01:", "2024-01-01T10+01" },
	{ "2024-01-01T10+01:3", "2024-01-01T10+01" },
	{ "2024-01-01T10+01300", "2024-01-01T10+01:30" },
	{ "2024-01-01T10+01:30[Europe/Berlin]", "2024-01-01T10+01:30" },
};

static void
check(const char *text, unsigned flags, const limen_timestamp *expected, const char *why)
{
	limen_timestamp out = { .time = 4711, .offset = 42, .zoned = true };
	limen_timestamp untouched = out;
	const char *got = "";
	int result = limen_timestamp_parse(text, strlen(text), flags, &out, &got);

	CU_ASSERT_EQUAL(limen_timestamp_parse(text, strlen(text), flags, &out, NULL), result);
	if (expected == NULL)
		expected = &untouched;
	CU_ASSERT_EQUAL(result, why == NULL ? LIMEN_OK : LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(got, why == NULL ? "" : why);
	CU_ASSERT_EQUAL(out.time, expected->time);
	CU_ASSERT_EQUAL(out.offset, expected->offset);
	CU_ASSERT_EQUAL(out.zoned, expected->zoned);
}

static void
parse(const char *text, limen_timestamp *out)
{
	CU_ASSERT_EQUAL_FATAL(limen_timestamp_parse(text, strlen(text), 0, out, NULL), LIMEN_OK);
}

static void
test_zoned(void)
{
	for (size_t i = 0; i < sizeof zoned / sizeof zoned[0]; i++) {
		limen_timestamp expected = {
			.time = zoned[i].time,
			.offset = zoned[i].offset,
			.zoned = true,
		};

		check(zoned[i].text, 0, &expected, NULL);
		check(zoned[i].text, LIMEN_TIMESTAMP_RUN, &expected, NULL);
	}
}

static void
test_bad(void)
{
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		check(bad[i].text, 0, NULL, bad[i].why);
		check(bad[i].text, LIMEN_TIMESTAMP_RUN, NULL, bad[i].why);
	}
}

static void
test_trailing(void)
{
	for (size_t i = 0; i < sizeof trailing / sizeof trailing[0]; i++) {
		limen_timestamp expected;

		parse(trailing[i].same, &expected);
		check(trailing[i].text, 0, NULL, BAD);
		check(trailing[i].text, LIMEN_TIMESTAMP_RUN, &expected, NULL);
	}
	check("2024-01-01T10Z T", LIMEN_TIMESTAMP_RUN, NULL, BAD);
}

static void
use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* Clocks go from 02:00 to 03:00 on 10 March 2024 and from 02:00 to 01:00 on 3 November. */
static void
test_local(void)
{
	static const struct {
		const char *text;
		const char *same;
		int32_t offset;
	} cases[] = {
		{ "2024-01-15T12:00:00", "2024-01-15T12:00:00-05", -18000 },
		{ "2024-07-15T12:00:00", "2024-07-15T12:00:00-04", -14400 },
		{ "2024-07-15T12:00:00z", "2024-07-15T12:00:00-04", -14400 },
		{ "2024-07-15T12:00:00.000001", "2024-07-15T12:00:00.000001-04", -14400 },
		{ "2024-03-10T01:59:59", "2024-03-10T01:59:59-05", -18000 },
		{ "2024-03-10T02:00:00", "2024-03-10T03:00:00-04", -14400 },
		{ "2024-03-10T02:59:59", "2024-03-10T03:59:59-04", -14400 },
		{ "2024-03-10T03:00:00", "2024-03-10T03:00:00-04", -14400 },
		{ "2024-11-03T00:59:59", "2024-11-03T00:59:59-04", -14400 },
		{ "2024-11-03T01:00:00", "2024-11-03T01:00:00-04", -14400 },
		{ "2024-11-03T01:59:59", "2024-11-03T01:59:59-04", -14400 },
		{ "2024-11-03T02:00:00", "2024-11-03T02:00:00-05", -18000 },
		{ "2024-12-31T24:00", "2025-01-01T00:00-05", -18000 },
	};

	use_zone("EST5EDT,M3.2.0,M11.1.0");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_timestamp expected;

		parse(cases[i].same, &expected);
		CU_ASSERT_EQUAL(expected.offset, cases[i].offset);
		expected.zoned = false;
		check(cases[i].text, 0, &expected, NULL);
	}
	use_zone("UTC0");
}

/*
 * South of the equator and two hours at once: from 02:00 to 04:00 on
 * 29 September 2024 and from 03:00 to 01:00 on 7 April.
 */
static void
test_local_elsewhere(void)
{
	limen_timestamp twice = { .time = INT64_C(1712410200000000), .offset = 46800 };
	limen_timestamp skipped = { .time = INT64_C(1727537400000000), .offset = 46800 };

	use_zone("AAA-11BBB-13,M9.5.0/2,M4.1.0/3");
	check("2024-04-07T02:30", 0, &twice, NULL);
	check("2024-09-29T02:30", 0, &skipped, NULL);
	use_zone("UTC0");
}

static void
test_every_quarter_of_an_hour(void)
{
	limen_time start = INT64_C(1704067200) * LIMEN_SECOND;
	int wrong = 0;

	use_zone("EST5EDT,M3.2.0,M11.1.0");
	for (int i = 0; i < 366 * 96; i++) {
		limen_timestamp local;
		limen_timestamp again;
		char text[LIMEN_TIMESTAMP_TEXT_MAX];
		bool second_time;

		limen_timestamp_local(start + i * 900 * LIMEN_SECOND, &local);
		limen_timestamp_print(&local, text);
		/* 2024-11-03T06:00Z to 07:00Z show the hour that there was before. */
		second_time = local.time >= INT64_C(1730613600) * LIMEN_SECOND &&
		              local.time < INT64_C(1730617200) * LIMEN_SECOND;
		if (limen_timestamp_parse(text, 19, 0, &again, NULL) != LIMEN_OK ||
		    again.time != local.time - (second_time ? 3600 * LIMEN_SECOND : 0) ||
		    again.offset != local.offset + (second_time ? 3600 : 0))
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	use_zone("UTC0");
}

static void
test_length_counts(void)
{
	static const struct {
		const char *text;
		size_t length;
		unsigned flags;
		int result;
		bool zoned;
	} cases[] = {
		{ "1970-01-01T00:00:00Zx", 20, 0, LIMEN_OK, true },
		{ "1970-01-01T00:00:00Z", 19, 0, LIMEN_OK, false },
		{ "1970-01-01T00Z\0", 15, 0, LIMEN_EINVAL, false },
		{ "1970-01-01\0T00Z", 15, 0, LIMEN_EINVAL, false },
		{ "1970-01-01T00Z\0", 15, LIMEN_TIMESTAMP_RUN, LIMEN_OK, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_timestamp out = { .time = 0 };
		int result = limen_timestamp_parse(cases[i].text, cases[i].length, cases[i].flags,
		                                   &out, NULL);

		CU_ASSERT_EQUAL(result, cases[i].result);
		CU_ASSERT_EQUAL(out.zoned, cases[i].zoned);
	}
}

static void
test_many_digits(void)
{
	const size_t digits = 100000;
	char *text = malloc(digits + 32);
	limen_timestamp out;
	size_t length;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memcpy(text, "1970-01-01T00:00:00.", 20);
	memset(text + 20, '9', digits);
	text[digits + 20] = 'Z';
	length = digits + 21;
	CU_ASSERT_EQUAL(limen_timestamp_parse(text, length, 0, &out, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(out.time, LIMEN_SECOND);
	memset(text + 26, '0', digits - 6);
	memcpy(text + 20, "0000005", 7);
	CU_ASSERT_EQUAL(limen_timestamp_parse(text, length, 0, &out, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(out.time, 0);
	text[digits + 19] = '1';
	CU_ASSERT_EQUAL(limen_timestamp_parse(text, length, 0, &out, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(out.time, 1);
	free(text);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "timestamps with a zone", test_zoned },
		{ "what is refused, and why", test_bad },
		{ "a run's start may have something behind it", test_trailing },
		{ "local times, unreal and ambiguous ones", test_local },
		{ "local times where clocks jump two hours", test_local_elsewhere },
		{ "a year of local times", test_every_quarter_of_an_hour },
		{ "the length ends the text", test_length_counts },
		{ "a hundred thousand digits", test_many_digits },
		{ NULL, NULL },
	};

	use_zone("UTC0");
	return suite_run("core/timestamp_parse", tests);
}
