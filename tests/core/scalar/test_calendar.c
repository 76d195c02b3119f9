/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar/calendar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"

#define FIRST_DAY (-719162) /* 0001-01-01 */
#define LAST_DAY 2932896    /* 9999-12-31 */

static const struct {
	int year, month, day;
	int64_t number;
	int week, weekday;
} known_days[] = {
	/* What Python's datetime.date says. */
	{ 1, 1, 1, -719162, 1, 1 },      { 4, 2, 29, -718008, 9, 7 },
	{ 100, 2, 28, -682945, 8, 7 },   { 100, 3, 1, -682944, 9, 1 },
	{ 400, 2, 29, -573372, 9, 2 },   { 1582, 10, 15, -141427, 41, 5 },
	{ 1899, 12, 31, -25568, 52, 7 }, { 1900, 2, 28, -25509, 9, 3 },
	{ 1900, 3, 1, -25508, 9, 4 },    { 1969, 12, 31, -1, 1, 3 },
	{ 1970, 1, 1, 0, 1, 4 },         { 1977, 1, 1, 2557, 53, 6 },
	{ 1999, 12, 31, 10956, 52, 5 },  { 2000, 2, 29, 11016, 9, 2 },
	{ 2004, 12, 31, 12783, 53, 5 },  { 2005, 1, 1, 12784, 53, 6 },
	{ 2008, 12, 29, 14242, 1, 1 },   { 2008, 12, 30, 14243, 1, 2 },
	{ 2010, 1, 3, 14612, 53, 7 },    { 2015, 12, 31, 16800, 53, 4 },
	{ 2016, 1, 3, 16803, 53, 7 },    { 2020, 12, 31, 18627, 53, 4 },
	{ 2021, 1, 3, 18630, 53, 7 },    { 2021, 1, 4, 18631, 1, 1 },
	{ 2024, 12, 30, 20087, 1, 1 },   { 2026, 12, 31, 20818, 53, 4 },
	{ 2027, 1, 1, 20819, 53, 5 },    { 2100, 2, 28, 47540, 8, 7 },
	{ 2100, 3, 1, 47541, 9, 1 },     { 9999, 12, 31, 2932896, 52, 5 },
};

static void
test_known_days(void)
{
	for (size_t i = 0; i < sizeof known_days / sizeof known_days[0]; i++) {
		int64_t number = known_days[i].number;

		CU_ASSERT_EQUAL(calendar_day_number(known_days[i].year, known_days[i].month,
		                                    known_days[i].day),
		                number);
		CU_ASSERT_EQUAL(calendar_week(number), known_days[i].week);
		CU_ASSERT_EQUAL(calendar_weekday(number), known_days[i].weekday);
	}
}

/* A calendar that only knows how to go on to the next day, with its rules put another way. */
struct walker {
	int year, month, day, weekday, week;
};

static int
get_month_length(int year, int month)
{
	bool leap = year % 400 == 0 || (year % 100 > 0 && (year & 3) == 0);

	if (month == 2)
		return leap ? 29 : 28;
	return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static void
walk(struct walker *at)
{
	at->weekday = at->weekday % 7 + 1;
	at->day++;
	if (at->day > get_month_length(at->year, at->month)) {
		at->day = 1;
		at->month++;
	}
	if (at->month > 12) {
		at->month = 1;
		at->year++;
	}
	if (at->weekday != 1)
		return;
	/* A Monday from 29 December to 4 January starts the week of the first Thursday. */
	if ((at->month == 12 && at->day >= 29) || (at->month == 1 && at->day <= 4))
		at->week = 1;
	else
		at->week++;
}

static bool
is_as_walked(int64_t number, const struct walker *at)
{
	int64_t year;
	int month;
	int day;

	calendar_date(number, &year, &month, &day);
	return year == at->year && month == at->month && day == at->day &&
	       calendar_day_number(at->year, at->month, at->day) == number &&
	       calendar_weekday(number) == at->weekday && calendar_week(number) == at->week &&
	       calendar_month_days(at->year, at->month) == get_month_length(at->year, at->month);
}

static void
test_every_day(void)
{
	struct walker at = { .year = 1, .month = 1, .day = 1, .weekday = 1, .week = 1 };
	int wrong = 0;

	for (int64_t number = FIRST_DAY; number <= LAST_DAY; number++) {
		if (!is_as_walked(number, &at))
			wrong++;
		walk(&at);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(at.year, 10000);
}

static bool
is_as_libc_says(time_t seconds)
{
	limen_timestamp timestamp = { .time = seconds * LIMEN_SECOND + 999999, .zoned = true };
	limen_calendar fields;
	struct tm tm;
	char expected[64];
	char text[128];

	if (gmtime_r(&seconds, &tm) == NULL)
		return false;
	strftime(expected, sizeof expected, "%m-%d %H:%M:%S week %V day %u", &tm);
	limen_calendar_get(&timestamp, &fields);
	snprintf(text, sizeof text, "%02d-%02d %02d:%02d:%02d week %02d day %d", fields.month,
	         fields.day, fields.hour, fields.minute, fields.second, fields.week,
	         fields.weekday);
	return fields.year == tm.tm_year + 1900 && strcmp(text, expected) == 0;
}

static void
test_against_libc(void)
{
	int wrong = 0;

	for (int64_t day = FIRST_DAY; day <= LAST_DAY; day += 37) {
		time_t second = (day - FIRST_DAY) * 7919 % CALENDAR_DAY_SECONDS;

		if (!is_as_libc_says(day * CALENDAR_DAY_SECONDS + second))
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(is_as_libc_says(-1));
	CU_ASSERT(is_as_libc_says(INT64_MIN / LIMEN_SECOND));
	CU_ASSERT(is_as_libc_says(INT64_MAX / LIMEN_SECOND - 1));
}

static void
test_weeks_of_years(void)
{
	static const int long_years[] = { 4, 1903, 1998, 2004, 2009, 2015, 2020, 2026, 2032, 9998 };
	static const int short_years[] = { 1, 1900, 2000, 2019, 2021, 2024, 2025, 2027, 9999 };

	for (size_t i = 0; i < sizeof long_years / sizeof long_years[0]; i++)
		CU_ASSERT_EQUAL(calendar_week_count(long_years[i]), 53);
	for (size_t i = 0; i < sizeof short_years / sizeof short_years[0]; i++)
		CU_ASSERT_EQUAL(calendar_week_count(short_years[i]), 52);
	CU_ASSERT_EQUAL(calendar_week_one(2021), calendar_day_number(2021, 1, 4));
	CU_ASSERT_EQUAL(calendar_week_one(2020), calendar_day_number(2019, 12, 30));
}

/* Before the year 1, and far behind any time that can be held, the days still follow each other. */
static void
test_distant_years(void)
{
	static const int64_t years[] = { -9999999999, -400, -101, -4, -1, 0, 10000, 9999999999 };

	for (size_t i = 0; i < sizeof years / sizeof years[0]; i++) {
		int64_t first = calendar_day_number(years[i], 1, 1);
		int64_t length = calendar_is_leap(years[i]) ? 366 : 365;
		int64_t year;
		int month;
		int day;

		CU_ASSERT_EQUAL(calendar_day_number(years[i] + 1, 1, 1), first + length);
		calendar_date(first, &year, &month, &day);
		CU_ASSERT(year == years[i] && month == 1 && day == 1);
		calendar_date(first + length - 1, &year, &month, &day);
		CU_ASSERT(year == years[i] && month == 12 && day == 31);
		CU_ASSERT_EQUAL(calendar_weekday(first + 7), calendar_weekday(first));
	}
	CU_ASSERT(calendar_is_leap(0));
	CU_ASSERT(calendar_is_leap(-4));
	CU_ASSERT(!calendar_is_leap(-100));
	CU_ASSERT(calendar_is_leap(-400));
}

static void
test_days_outside_the_month(void)
{
	CU_ASSERT_EQUAL(calendar_day_number(2024, 1, 60), calendar_day_number(2024, 2, 29));
	CU_ASSERT_EQUAL(calendar_day_number(2023, 1, 365), calendar_day_number(2023, 12, 31));
	CU_ASSERT_EQUAL(calendar_day_number(2024, 3, 0), calendar_day_number(2024, 2, 29));
}

static void
test_range(void)
{
	CU_ASSERT(!calendar_in_range(FIRST_DAY - 1));
	CU_ASSERT(calendar_in_range(FIRST_DAY));
	CU_ASSERT(calendar_in_range(LAST_DAY));
	CU_ASSERT(!calendar_in_range(LAST_DAY + 1));
}

static void
test_split(void)
{
	static const struct {
		limen_time time;
		int32_t offset;
		int64_t number, microseconds;
	} cases[] = {
		{ 0, 0, 0, 0 },
		{ -1, 0, -1, INT64_C(86399999999) },
		{ INT64_C(86399999999), 0, 0, INT64_C(86399999999) },
		{ INT64_C(86400000000), 0, 1, 0 },
		{ 0, -1, -1, INT64_C(86399000000) },
		{ 1, 86399, 0, INT64_C(86399000001) },
		{ INT64_C(1000000), 86399, 1, 0 },
		{ INT64_MAX, INT32_MAX, 106776846, INT64_C(26101775807) },
		{ INT64_MIN, INT32_MIN, -106776847, INT64_C(60297224192) },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int64_t number;
		int64_t microseconds;

		calendar_split(cases[i].time, cases[i].offset, &number, &microseconds);
		CU_ASSERT_EQUAL(number, cases[i].number);
		CU_ASSERT_EQUAL(microseconds, cases[i].microseconds);
	}
}

/* run-schedule looks at the fields as they stand in the zone that was written (section 7). */
static void
test_fields_in_their_zone(void)
{
	limen_timestamp timestamp = { .time = -1, .offset = 7200, .zoned = true };
	limen_calendar fields;

	limen_calendar_get(&timestamp, &fields);
	CU_ASSERT(fields.year == 1970 && fields.month == 1 && fields.day == 1);
	CU_ASSERT(fields.hour == 1 && fields.minute == 59 && fields.second == 59);
	CU_ASSERT(fields.week == 1 && fields.weekday == 4);
	timestamp.offset = -1;
	limen_calendar_get(&timestamp, &fields);
	CU_ASSERT(fields.year == 1969 && fields.month == 12 && fields.day == 31);
	CU_ASSERT(fields.hour == 23 && fields.minute == 59 && fields.second == 58);
	CU_ASSERT(fields.week == 1 && fields.weekday == 3);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "days known from Python", test_known_days },
		{ "every day of the years 1 to 9999", test_every_day },
		{ "a sample against the C library", test_against_libc },
		{ "years of 52 and 53 weeks", test_weeks_of_years },
		{ "years below 1 and above 9999", test_distant_years },
		{ "days outside the month run on", test_days_outside_the_month },
		{ "the range of years", test_range },
		{ "a time splits into day and microseconds", test_split },
		{ "fields are those of the timestamp's zone", test_fields_in_their_zone },
		{ NULL, NULL },
	};

	return suite_run("core/calendar", tests);
}
