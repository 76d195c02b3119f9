/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/duration.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

__extension__ typedef __int128 wide;

#define BAD "not a valid ISO 8601 duration"
#define BAD_RUN "Invalid ISO duration"
#define CALENDAR "Cannot support months or years"
#define LONG "out of range"
#define LONG_RUN "date value out of range"

static const struct {
	const char *text;
	limen_duration value;
} good[] = {
	{ "PT0S", 0 },
	{ "PT", 0 },
	{ "P0D", 0 },
	{ "P1DT", INT64_C(86400000000) },
	{ "P1W", INT64_C(604800000000) },
	{ "P1D", INT64_C(86400000000) },
	{ "PT1H", INT64_C(3600000000) },
	{ "PT1M", 60000000 },
	{ "PT1S", 1000000 },
	{ "P1W2DT3H4M5.5S", INT64_C(788645500000) },
	{ "PT0.25H", 900000000 },
	{ "P0.5W", INT64_C(302400000000) },
	{ "PT00000000000000000000000000000000001S", 1000000 },
	/* Halves of a microsecond go to the even side, as in Python's timedelta. */
	{ "PT0.000001S", 1 },
	{ "PT0.0000005S", 0 },
	{ "PT0.00000050000000000000000000000000000001S", 1 },
	{ "PT0.0000015S", 2 },
	{ "PT0.0000025S", 2 },
	{ "PT0.0000024999999S", 2 },
	/* The sum is rounded, not the fields: 0.4 + 0.4 microseconds are nearer to one. */
	{ "PT0.0000000066666666666666M0.0000004S", 1 },
	{ "PT0.1H", 360000000 },
	{ "PT0.7M", 42000000 },
	/* The largest: 2^63 - 1 microseconds. */
	{ "PT9223372036854.775807S", INT64_MAX },
	{ "PT9223372036854.7758074S", INT64_MAX },
	{ "P106751991DT4H54.775807S", INT64_MAX },
	/* Computed by Python with exact fractions. */
	{ "P287.7W258DT141.7838483726167H343.3M", INT64_C(196823179854141) },
	{ "PT366H129M", INT64_C(1325340000000) },
	{ "P48.232686563W47DT283.6H319.1M", INT64_C(34272034833302) },
	{ "PT135.42H", INT64_C(487512000000) },
	{ "PT274H358.02614M", INT64_C(1007881568400) },
	{ "PT113.7H283.92083M", INT64_C(426355249800) },
	{ "P92.48347DT91.4H9M97S", INT64_C(8320248808000) },
	{ "P228.786843353WT177S", INT64_C(138370459859894) },
	{ "P320DT83.849340722H1.85304M93.174833801S", INT64_C(27950061983833) },
	{ "P45.0604431982965WT145H366S", INT64_C(27774922046330) },
	{ "PT268M8S", INT64_C(16088000000) },
	{ "P364WT15.16780H", INT64_C(220201804080000) },
	{ "P1.8DT269.414333776M350.9S", INT64_C(172035760027) },
	{ "P307.49920DT248.3H264.718341704S", INT64_C(27462075598342) },
	{ "P259W137.19DT382H323S", INT64_C(169871939000000) },
	{ "PT248.07H372.65150S", INT64_C(893424651500) },
};

/* Refused, or read only from a run. */
static const struct {
	const char *text;
	int result;
	const char *why;
	int run_result;
	const char *run_why;
	limen_duration run_value;
} others[] = {
	{ "", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "-P", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "-", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "T1S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "1S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "p1d", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1d", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1s", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1D", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1W", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1D1W", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1D1D", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1M1H", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1S1M", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PTT1S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT5", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT.5S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT5.S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT5.5.5S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT-5S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT5S ", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ " PT5S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "PT1e3S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "--PT5S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1Y", LIMEN_EINVAL, BAD, LIMEN_EINVAL, CALENDAR, 0 },
	{ "P1M", LIMEN_EINVAL, BAD, LIMEN_EINVAL, CALENDAR, 0 },
	{ "P0.1M2DT1S", LIMEN_EINVAL, BAD, LIMEN_EINVAL, CALENDAR, 0 },
	{ "P1M1Y", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P1Y2", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
	{ "P0Y0M0DT0H5M0S", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, 300000000 },
	{ "P0,0Y1D", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, INT64_C(86400000000) },
	{ "PT0,5S", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, 500000 },
	{ "+PT5S", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, 5000000 },
	{ "-PT0.0000015S", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, -2 },
	{ "-PT9223372036854.775807S", LIMEN_EINVAL, BAD, LIMEN_OK, NULL, -INT64_MAX },
	{ "-PT9223372036854.775808S", LIMEN_EINVAL, BAD, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "PT9223372036854.775808S", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "PT9223372036854.7758075S", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "PT9223372036855S", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "P15250285W", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "P15250284W3DT5H", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	{ "PT99999999999999999999999999999999999S", LIMEN_ERANGE, LONG, LIMEN_ERANGE, LONG_RUN, 0 },
	/* Malformed counts for more than too long. */
	{ "PT99999999999999999999999999999999999", LIMEN_EINVAL, BAD, LIMEN_EINVAL, BAD_RUN, 0 },
};

static void
check(const char *text, size_t length, unsigned flags, int result, const char *why,
      limen_duration value)
{
	limen_duration out = 4711;
	const char *text_why = NULL;
	int got = limen_duration_parse(text, length, flags, &out, &text_why);

	CU_ASSERT_EQUAL(got, result);
	CU_ASSERT_EQUAL(out, result == LIMEN_OK ? value : 4711);
	if (why == NULL) {
		CU_ASSERT_PTR_NULL(text_why);
	} else {
		CU_ASSERT_STRING_EQUAL(text_why != NULL ? text_why : "", why);
	}
	CU_ASSERT_EQUAL(limen_duration_parse(text, length, flags, &out, NULL), got);
}

/* Numbers with units are read where the caller asks for them, beside ISO 8601. */
static void
test_short(void)
{
	static const struct {
		const char *text;
		limen_duration value; /* -1: refused */
	} rows[] = {
		{ "5s", 5000000 },     { "1h30m", INT64_C(5400000000) }, { "250ms", 250000 },
		{ "7us", 7 },          { "1.5s", 1500000 },              { "2d", INT64_C(172800000000) },
		{ "1w", INT64_C(604800000000) },                         { "PT5S", 5000000 },
		{ "1m1m1m1m1m1m1m", 420000000 },                         { "1m1m1m1m1m1m1m1m", -1 },
		{ "5", -1 },           { "s", -1 },                      { "5S", -1 },
		{ "5 s", -1 },         { "5min", -1 },                   { "-5s", -1 },
		{ "", -1 },            { "99999999999999w", -1 },        { "5s1", -1 },
		{ "0s", 0 },           { "1y", -1 },                     { "5sP", -1 },
		{ "P1Y5s", -1 },       { "P2M30m", -1 },                 { "PT5S5s", -1 },
		{ "P5s", -1 },         { "P", -1 },                      { "5m30", -1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		limen_duration found = -1;
		int got = limen_duration_parse(rows[i].text, strlen(rows[i].text),
		                               LIMEN_DURATION_SHORT, &found, NULL);

		CU_ASSERT_EQUAL(got == LIMEN_OK, rows[i].value >= 0);
		CU_ASSERT_EQUAL(found, rows[i].value);
	}
	CU_ASSERT_EQUAL(limen_duration_parse("5s", 2, 0, &(limen_duration){ 0 }, NULL),
	                LIMEN_EINVAL);
}

static void
test_good(void)
{
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		size_t length = strlen(good[i].text);

		check(good[i].text, length, 0, LIMEN_OK, NULL, good[i].value);
		check(good[i].text, length, LIMEN_DURATION_RUN, LIMEN_OK, NULL, good[i].value);
	}
}

static void
test_others(void)
{
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		size_t length = strlen(others[i].text);

		check(others[i].text, length, 0, others[i].result, others[i].why, 0);
		check(others[i].text, length, LIMEN_DURATION_RUN, others[i].run_result,
		      others[i].run_why, others[i].run_value);
	}
}

static void
test_length_counts(void)
{
	check("PT15S", 4, 0, LIMEN_EINVAL, BAD, 0);
	check("PT1S5", 4, 0, LIMEN_OK, NULL, 1000000);
	check("PT1S\0", 5, 0, LIMEN_EINVAL, BAD, 0);
	check("PT\0001S", 5, LIMEN_DURATION_RUN, LIMEN_EINVAL, BAD_RUN, 0);
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

/* Appends a random field to 'text' and returns its length in 10^-12 microseconds. */
static wide
add_random_field(char *text, size_t size, char letter, int64_t unit)
{
	uint64_t whole = get_random() % 1000;
	uint64_t fraction = get_random() % 1000000000000U;
	size_t length = strlen(text);

	if (get_random() % 2 == 0) {
		snprintf(text + length, size - length, "%" PRIu64 "%c", whole, letter);
		return (wide)whole * 1000000000000 * unit;
	}
	snprintf(text + length, size - length, "%" PRIu64 ".%012" PRIu64 "%c", whole, fraction,
	         letter);
	return ((wide)whole * 1000000000000 + fraction) * unit;
}

static wide
make_random(char *text, size_t size)
{
	static const int64_t units[] = { 604800, 86400, 3600, 60, 1 };
	static const char letters[] = "WDHMS";
	wide total = 0;

	snprintf(text, size, "P");
	for (size_t i = 0; i < 5; i++) {
		if (i == 2)
			strcat(text, "T");
		if (get_random() % 3 != 0)
			total += add_random_field(text, size, letters[i], units[i] * 1000000);
	}
	return total;
}

static limen_duration
round_half_even(wide value, wide divisor)
{
	wide whole = value / divisor;
	wide twice = value % divisor * 2;

	if (twice > divisor || (twice == divisor && whole % 2 != 0))
		whole++;
	return (limen_duration)whole;
}

static void
test_random_sums(void)
{
	int wrong = 0;

	for (int i = 0; i < 50000; i++) {
		char text[160];
		wide exact = make_random(text, sizeof text);
		limen_duration expected = round_half_even(exact, 1000000000000);
		limen_duration value = -1;

		if (limen_duration_parse(text, strlen(text), 0, &value, NULL) != LIMEN_OK ||
		    value != expected)
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* A request may hold any number of digits: they count, and take no more than linear time. */
static void
test_many_digits(void)
{
	const size_t digits = 100000;
	char *text = malloc(digits + 16);
	size_t length = digits + 5;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memcpy(text, "PT0.", 4);
	memset(text + 4, '0', digits);
	text[digits + 4] = 'S';
	check(text, length, 0, LIMEN_OK, NULL, 0);
	text[4 + 6] = '5'; /* half a microsecond */
	check(text, length, 0, LIMEN_OK, NULL, 0);
	text[digits + 3] = '1'; /* and a little */
	check(text, length, 0, LIMEN_OK, NULL, 1);
	memset(text + 4, '9', digits);
	check(text, length, 0, LIMEN_OK, NULL, 1000000);
	text[3] = '9';
	check(text, length, 0, LIMEN_ERANGE, LONG, 0);
	memset(text + 2, '0', digits + 1);
	text[digits + 3] = '7';
	check(text, length, 0, LIMEN_OK, NULL, 7000000);
	free(text);
}

static void
test_print(void)
{
	static const struct {
		limen_duration value;
		const char *text;
	} cases[] = {
		{ 0, "PT0S" },
		{ 1, "PT0.000001S" },
		{ 10, "PT0.00001S" },
		{ 100000, "PT0.1S" },
		{ 999999, "PT0.999999S" },
		{ 1000000, "PT1S" },
		{ 59999999, "PT59.999999S" },
		{ 60000000, "PT1M" },
		{ 90000000, "PT1M30S" },
		{ INT64_C(3600000000), "PT1H" },
		{ INT64_C(3600500000), "PT1H0.5S" },
		{ INT64_C(86399000000), "PT23H59M59S" },
		{ INT64_C(86400000000), "P1D" },
		{ INT64_C(86400000001), "P1DT0.000001S" },
		{ INT64_C(604800000000), "P7D" },
		{ INT64_C(93784000000), "P1DT2H3M4S" },
		{ -5000000, "-PT5S" },
		{ -1, "-PT0.000001S" },
		{ INT64_MAX, "P106751991DT4H54.775807S" },
		{ INT64_MIN, "-P106751991DT4H54.775808S" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[LIMEN_DURATION_TEXT_MAX];

		limen_duration_print(cases[i].value, text);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
}

static void
test_print_reads_back(void)
{
	int wrong = 0;

	for (int i = 0; i < 50000; i++) {
		limen_duration value = (limen_duration)(get_random() >> (get_random() % 63 + 1));
		char text[LIMEN_DURATION_TEXT_MAX];
		limen_duration again = -1;

		value = i % 2 == 0 ? value : -value;
		limen_duration_print(value, text);
		if (limen_duration_parse(text, strlen(text), LIMEN_DURATION_RUN, &again, NULL) !=
		            LIMEN_OK ||
		    again != value)
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "durations that both dialects read", test_good },
		{ "durations that are refused, or read from runs only", test_others },
		{ "numbers with units", test_short },
		{ "the length ends the text", test_length_counts },
		{ "random fields against 128-bit integers", test_random_sums },
		{ "a hundred thousand digits", test_many_digits },
		{ "printing", test_print },
		{ "what is printed reads back", test_print_reads_back },
		{ NULL, NULL },
	};

	return suite_run("core/duration", tests);
}
