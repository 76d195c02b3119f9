/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/duration.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"

#define DAY (86400 * LIMEN_SECOND)
#define FIRST INT64_C(-62135596800000000) /* 0001-01-01T00:00:00Z */
#define LAST INT64_C(253402300799999999)  /* 9999-12-31T23:59:59.999999Z */

static void
use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void
test_print(void)
{
	static const struct {
		limen_time time;
		int32_t offset;
		const char *text;
	} cases[] = {
		{ 0, 0, "1970-01-01T00:00:00Z" },
		{ 1, 0, "1970-01-01T00:00:00.000001Z" },
		{ 500000, 0, "1970-01-01T00:00:00.5Z" },
		{ -1, 0, "1969-12-31T23:59:59.999999Z" },
		{ 0, 3600, "1970-01-01T01:00:00+01:00" },
		{ 0, -12600, "1969-12-31T20:30:00-03:30" },
		{ 0, -1800, "1969-12-31T23:30:00-00:30" },
		{ 0, 86340, "1970-01-01T23:59:00+23:59" },
		{ 0, -86340, "1969-12-31T00:01:00-23:59" },
		/* Berlin's local mean time, and half a minute either side of UTC. */
		{ 0, 3208, "1970-01-01T00:53:00+00:53" },
		{ 0, 30, "1970-01-01T00:00:00Z" },
		{ 0, -30, "1970-01-01T00:00:00Z" },
		{ 951782400 * LIMEN_SECOND, 0, "2000-02-29T00:00:00Z" },
		{ FIRST, 0, "0001-01-01T00:00:00Z" },
		{ LAST, 0, "9999-12-31T23:59:59.999999Z" },
		{ FIRST - 1, 0, "0000-12-31T23:59:59.999999Z" },
		{ FIRST - 366 * DAY - 1, 0, "-0001-12-31T23:59:59.999999Z" },
		{ LAST + 1, 0, "+10000-01-01T00:00:00Z" },
		{ INT64_MAX, 0, "+294247-01-10T04:00:54.775807Z" },
		{ INT64_MIN, 0, "-290308-12-21T19:59:05.224192Z" },
		{ INT64_MAX, INT32_MAX, "+294315-01-29T07:14:54.775807+596523:14" },
		{ INT64_MIN, INT32_MIN, "-290376-12-03T16:45:05.224192-596523:14" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_timestamp timestamp = { .time = cases[i].time, .offset = cases[i].offset };
		char text[LIMEN_TIMESTAMP_TEXT_MAX];

		limen_timestamp_print(&timestamp, text);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
}

static uint64_t
get_random(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void
test_print_reads_back(void)
{
	uint64_t span = (uint64_t)(LAST - FIRST - 2 * DAY);
	int wrong = 0;

	for (int i = 0; i < 50000; i++) {
		limen_timestamp timestamp = {
			.time = FIRST + DAY + (limen_time)(get_random() % span),
			.offset = ((int32_t)(get_random() % 2879) - 1439) * 60,
		};
		limen_timestamp again;
		char text[LIMEN_TIMESTAMP_TEXT_MAX];

		limen_timestamp_print(&timestamp, text);
		if (limen_timestamp_parse(text, strlen(text), 0, &again, NULL) != LIMEN_OK ||
		    !again.zoned || again.time != timestamp.time ||
		    again.offset != timestamp.offset)
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void
test_local(void)
{
	static const struct {
		limen_time seconds;
		int32_t offset;
	} cases[] = {
		{ 1705320000, -18000 }, { 1710053999, -18000 }, { 1710054000, -14400 },
		{ 1730613599, -14400 }, { 1730613600, -18000 },
	};

	use_zone("EST5EDT,M3.2.0,M11.1.0");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_timestamp local;

		limen_timestamp_local(cases[i].seconds * LIMEN_SECOND + 999999, &local);
		CU_ASSERT_EQUAL(local.time, cases[i].seconds * LIMEN_SECOND + 999999);
		CU_ASSERT_EQUAL(local.offset, cases[i].offset);
		CU_ASSERT(!local.zoned);
	}
	use_zone("UTC0");
}

/* Nothing that a clock can say is beyond the C library; the ends are still tried. */
static void
test_local_of_distant_times(void)
{
	static const limen_time times[] = { INT64_MIN, FIRST, -1, 0, LAST, INT64_MAX };

	use_zone("XXX-05:30");
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		limen_timestamp local;

		limen_timestamp_local(times[i], &local);
		CU_ASSERT_EQUAL(local.time, times[i]);
		CU_ASSERT_EQUAL(local.offset, 19800);
	}
	use_zone("UTC0");
}

static void
expect_local(const char *text, limen_time seconds, int32_t offset)
{
	limen_timestamp found = { .time = 0 };

	CU_ASSERT_EQUAL(limen_timestamp_parse(text, strlen(text), 0, &found, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(found.time, seconds * LIMEN_SECOND);
	CU_ASSERT_EQUAL(found.offset, offset);
}

static void
test_from_local(void)
{
	use_zone("EST5EDT,M3.2.0,M11.1.0");
	/* The first is skipped, and the second comes twice. */
	expect_local("2024-03-10T02:30", 1710055800, -14400);
	expect_local("2024-11-03T01:30", 1730611800, -14400);
	use_zone("UTC0");
	expect_local("2024-11-03T01:30", 1730597400, 0);
}

static void
test_add(void)
{
	static const struct {
		limen_time time;
		int32_t offset;
		limen_duration duration;
		int result;
	} cases[] = {
		{ 0, 3600, 0, LIMEN_OK },
		{ 0, 3600, -1, LIMEN_OK },
		{ 0, -3600, 36 * DAY + 1, LIMEN_OK },
		{ LAST - 1, 0, 1, LIMEN_OK },
		{ LAST, 0, 1, LIMEN_ERANGE },
		{ FIRST + 1, 0, -1, LIMEN_OK },
		{ FIRST, 0, -1, LIMEN_ERANGE },
		/* The years are those of the timestamp's own zone. */
		{ LAST, -60, 60 * LIMEN_SECOND, LIMEN_OK },
		{ LAST, -60, 60 * LIMEN_SECOND + 1, LIMEN_ERANGE },
		{ LAST - 60 * LIMEN_SECOND, 60, 1, LIMEN_ERANGE },
		{ FIRST, 60, -60 * LIMEN_SECOND, LIMEN_OK },
		{ FIRST, 60, -60 * LIMEN_SECOND - 1, LIMEN_ERANGE },
		{ 1, 0, INT64_MAX, LIMEN_ERANGE },
		{ 0, 0, INT64_MAX, LIMEN_ERANGE },
		{ 0, 0, INT64_MIN, LIMEN_ERANGE },
		{ -1, 0, INT64_MIN, LIMEN_ERANGE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_timestamp from = { cases[i].time, cases[i].offset, i % 2 == 0 };
		limen_timestamp sum = { .time = 4711 };
		bool good = cases[i].result == LIMEN_OK;
		int result = limen_timestamp_add(&from, cases[i].duration, &sum);

		CU_ASSERT_EQUAL(result, cases[i].result);
		CU_ASSERT_EQUAL(sum.time, good ? from.time + cases[i].duration : 4711);
		CU_ASSERT_EQUAL(sum.offset, good ? from.offset : 0);
		CU_ASSERT_EQUAL(sum.zoned, good && from.zoned);
	}
}

static void
test_add_in_place(void)
{
	limen_timestamp timestamp = { .time = 5, .offset = 60, .zoned = true };

	CU_ASSERT_EQUAL(limen_timestamp_add(&timestamp, 7, &timestamp), LIMEN_OK);
	CU_ASSERT(timestamp.time == 12 && timestamp.offset == 60 && timestamp.zoned);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "printing", test_print },
		{ "what is printed reads back", test_print_reads_back },
		{ "local time", test_local },
		{ "local time of distant times", test_local_of_distant_times },
		{ "from local time", test_from_local },
		{ "adding durations", test_add },
		{ "the sum may replace the timestamp", test_add_in_place },
		{ NULL, NULL },
	};

	use_zone("UTC0");
	return suite_run("core/timestamp", tests);
}
