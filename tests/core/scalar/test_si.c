/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/si.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "suite.h"

enum {
	TEXT_MAX = 160
};

/* Writes a number in decimal. */
static void
print(const limen_si *number, char text[TEXT_MAX])
{
	wide value = (wide)number->high << 64 | number->low;
	char digits[TEXT_MAX];
	size_t at = sizeof digits - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + (int)(value % 10));
		value /= 10;
	} while (value > 0);
	snprintf(text, TEXT_MAX, "%s%s", number->negative ? "-" : "", digits + at);
}

static void
check(const char *input, size_t length, int result, const char *expected)
{
	limen_si number = limen_si_from_int(4711);
	char text[TEXT_MAX];

	CU_ASSERT_EQUAL(limen_si_parse(input, length, &number), result);
	print(&number, text);
	CU_ASSERT_STRING_EQUAL(text, result == LIMEN_OK ? expected : "4711");
}

static void
test_good(void)
{
	static const struct {
		const char *text;
		const char *value;
	} cases[] = {
		{ "0", "0" },
		{ "-0", "0" },
		{ "-0.000k", "0" },
		{ "1", "1" },
		{ "0001", "1" },
		{ "600K", "600000" },
		{ "5G", "5000000000" },
		{ "2.5K", "2500" },
		{ "800 Ki", "819200" },
		{ "800 \t\n\v\f\rkI", "819200" },
		{ "7 ", "7" },
		{ "1k", "1000" },
		{ "1ki", "1024" },
		{ "1m", "1000000" },
		{ "1mi", "1048576" },
		{ "1gI", "1073741824" },
		{ "1t", "1000000000000" },
		{ "1Ti", "1099511627776" },
		{ "1p", "1000000000000000" },
		{ "1pi", "1125899906842624" },
		{ "1e", "1000000000000000000" },
		{ "1Ei", "1152921504606846976" },
		{ "1z", "1000000000000000000000" },
		{ "1ZI", "1180591620717411303424" },
		{ "1y", "1000000000000000000000000" },
		{ "1yi", "1208925819614629174706176" },
		/* Floating point makes 1999999999999999966445568 of this one. */
		{ "2y", "2000000000000000000000000" },
		/* Towards minus infinity. */
		{ "0.5", "0" },
		{ "0.999999999999999999999999", "0" },
		{ "-0.5", "-1" },
		{ "-0.000000000000000000000001", "-1" },
		{ "-1.0", "-1" },
		{ "-1.5k", "-1500" },
		{ "-1.0005k", "-1001" },
		{ "1.0009k", "1000" },
		{ "1.0009999999999999k", "1000" },
		{ "0.0009765625Ki", "1" },
		{ "0.0009765624Ki", "0" },
		{ "-9007199254740993", "-9007199254740993" },
		/* The largest: 2^127 - 1. */
		{ "170141183460469231731687303715884105727",
		  "170141183460469231731687303715884105727" },
		{ "170141183460469231731687303715884105727.9",
		  "170141183460469231731687303715884105727" },
		{ "-170141183460469231731687303715884105726.9",
		  "-170141183460469231731687303715884105727" },
		{ "140737488355327.999999999999yi", "170141183460469231731687302506958286113" },
		{ "170141183460469.231731687303715884105727y",
		  "170141183460469231731687303715884105727" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i].text, strlen(cases[i].text), LIMEN_OK, cases[i].value);
}

static void
test_bad(void)
{
	static const char *const cases[] = {
		"",
		" ",
		"-",
		"+1",
		"k",
		"-k",
		".5",
		"1.",
		"1.k",
		"1.5.5",
		"1,5",
		"--1",
		"- 1",
		" 1",
		"1kk",
		"1ik",
		"1i",
		"1 k ",
		"1k ",
		"1 i",
		"1k i",
		"1kb",
		"1b",
		"1e3",
		"0x10",
		"1_000",
		"inf",
		"nan",
		"1u",
		"1h",
		"1d",
		"1 2",
		"1.5 .5",
		"\302\2401",
		"1\302\240k",
		/* Malformed counts for more than too large. */
		"999999999999999999999999999999999999999999999q",
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i], strlen(cases[i]), LIMEN_EINVAL, NULL);
	check("1\0", 2, LIMEN_EINVAL, NULL);
	check("1\0k", 3, LIMEN_EINVAL, NULL);
	check("1k\0", 3, LIMEN_EINVAL, NULL);
	check("12k", 2, LIMEN_OK, "12");
}

static void
test_too_large(void)
{
	static const char *const cases[] = {
		"170141183460469231731687303715884105728",
		"-170141183460469231731687303715884105728",
		"-170141183460469231731687303715884105727.1",
		"340282366920938463463374607431768211456",
		"170141183460469.231731687303715884105728y",
		"170141183460470y",
		"140737488355328yi",
		"99999999999999999999999999999999999999999999999999999999999",
		"-1000000000000000000000000000000000000000yi",
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i], strlen(cases[i]), LIMEN_ERANGE, NULL);
}

/* Every digit counts, and time stays linear. */
static void
test_many_digits(void)
{
	const size_t digits = 100000;
	char *text = malloc(digits + 16);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	memcpy(text, "-0.", 3);
	memset(text + 3, '0', digits);
	check(text, digits + 3, LIMEN_OK, "0");
	check(text + 1, digits + 2, LIMEN_OK, "0");
	text[digits + 2] = '1';
	check(text, digits + 3, LIMEN_OK, "-1");
	check(text + 1, digits + 2, LIMEN_OK, "0");
	memset(text + 3, '9', digits);
	check(text, digits + 3, LIMEN_OK, "-1");
	check(text + 1, digits + 2, LIMEN_OK, "0");
	memcpy(text + digits + 3, "yi", 2);
	check(text, digits + 5, LIMEN_OK, "-1208925819614629174706176");
	check(text + 1, digits + 4, LIMEN_OK, "1208925819614629174706175");
	memset(text, '9', digits);
	check(text, digits, LIMEN_ERANGE, NULL);
	memset(text, '0', digits);
	text[digits - 1] = '7';
	check(text, digits, LIMEN_OK, "7");
	free(text);
}

/*
 * An independent way to the same numbers: decimal digits in a row, added to
 * themselves as often as the unit asks for.  The point stands behind POINT
 * digits.
 */
enum {
	POINT = 80,
	ROW = 100
};

static void
add_rows(char sum[ROW], const char other[ROW])
{
	int carry = 0;

	for (int i = ROW - 1; i >= 0; i--) {
		int digit = sum[i] + other[i] + carry;

		sum[i] = (char)(digit % 10);
		carry = digit / 10;
	}
}

/* Multiplies by 'factor' 'times' times. */
static void
multiply_row(char row[ROW], int factor, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		char sum[ROW] = { 0 };

		for (int j = 0; j < factor; j++)
			add_rows(sum, row);
		memcpy(row, sum, ROW);
	}
}

static void
floor_row(char row[ROW], bool negative, char text[TEXT_MAX])
{
	char one[ROW] = { 0 };
	bool fraction = false;
	int first = 0;

	for (int i = POINT; i < ROW; i++)
		fraction = fraction || row[i] != 0;
	one[POINT - 1] = 1;
	if (negative && fraction)
		add_rows(row, one);
	while (first < POINT - 1 && row[first] == 0)
		first++;
	for (int i = first; i < POINT; i++)
		text[i - first] = (char)('0' + row[i]);
	text[POINT - first] = '\0';
	if (negative && strcmp(text, "0") != 0) {
		memmove(text + 1, text, strlen(text) + 1);
		text[0] = '-';
	}
}

static unsigned
get_random(unsigned limit)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 20) % limit;
}

/* Makes up digits in a row and as text. */
static size_t
make_random(char row[ROW], char *text, int whole, int fraction)
{
	size_t length = 0;

	memset(row, 0, ROW);
	for (int i = POINT - whole; i < POINT + fraction; i++) {
		row[i] = (char)get_random(10);
		if (i == POINT)
			text[length++] = '.';
		text[length++] = (char)('0' + row[i]);
	}
	text[length] = '\0';
	return length;
}

static bool
is_exact(void)
{
	static const char *const units[] = { "", "K", "m", "G", "t", "P", "e", "Z", "y" };
	unsigned power = get_random(9);
	bool binary = power > 0 && get_random(2) == 0;
	bool negative = get_random(2) == 0;
	char row[ROW];
	char text[TEXT_MAX] = "-";
	char expected[TEXT_MAX];
	char got[TEXT_MAX];
	limen_si number;
	size_t length;

	length = 1 + make_random(row, text + 1, 1 + (int)get_random(13), (int)get_random(20));
	snprintf(text + length, sizeof text - length, "%s%s", units[power], binary ? "i" : "");
	multiply_row(row, binary ? 2 : 10, power * (binary ? 10 : 3));
	floor_row(row, negative, expected);
	if (limen_si_parse(text + !negative, strlen(text + !negative), &number) != LIMEN_OK)
		return false;
	print(&number, got);
	return strcmp(got, expected) == 0;
}

static void
test_random_numbers(void)
{
	int wrong = 0;

	for (int i = 0; i < 5000; i++) {
		if (!is_exact())
			wrong++;
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void
test_from_int(void)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 1, "1" },
		{ -1, "-1" },
		{ INT64_MAX, "9223372036854775807" },
		{ INT64_MIN, "-9223372036854775808" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_si number = limen_si_from_int(cases[i].value);
		char text[TEXT_MAX];

		print(&number, text);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
}

static int
get_sign(int value)
{
	return (value > 0) - (value < 0);
}

static void
test_compare(void)
{
	/* In rising order. */
	static const char *const texts[] = {
		"-100000000000000000000000000000000000000",
		"-18446744073709551616",
		"-18446744073709551615",
		"-2",
		"-1",
		"0",
		"1",
		"2",
		"18446744073709551615",
		"18446744073709551616",
		"36893488147419103232",
		"100000000000000000000000000000000000000",
	};
	enum {
		COUNT = sizeof texts / sizeof texts[0]
	};
	limen_si zero = { .negative = true };
	limen_si none = limen_si_from_int(0);

	for (int i = 0; i < COUNT; i++) {
		for (int j = 0; j < COUNT; j++) {
			limen_si a;
			limen_si b;

			limen_si_parse(texts[i], strlen(texts[i]), &a);
			limen_si_parse(texts[j], strlen(texts[j]), &b);
			CU_ASSERT_EQUAL(get_sign(limen_si_compare(&a, &b)), get_sign(i - j));
		}
	}
	CU_ASSERT_EQUAL(limen_si_compare(&zero, &none), 0);
	CU_ASSERT_EQUAL(limen_si_compare(&none, &zero), 0);
}

static void
test_real(void)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "0", 0 },
		{ "-1", -1 },
		{ "4503599627370497", 4503599627370497.0 },
		{ "9007199254740993", 9007199254740992.0 },
		{ "9007199254740995", 9007199254740996.0 },
		{ "-9223372036854775808", -9223372036854775808.0 },
		{ "18446744073709551616", 18446744073709551616.0 },
		{ "1y", 1e24 },
		{ "170141183460469231731687303715884105727", 0x1p127 },
		{ "-170141183460469231731687303715884105727", -0x1p127 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_si number;
		int result = limen_si_parse(cases[i].text, strlen(cases[i].text), &number);

		CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
		CU_ASSERT(limen_si_real(&number) == cases[i].value);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "numbers and their values", test_good },
		{ "what is no number", test_bad },
		{ "numbers of more than 127 bits", test_too_large },
		{ "a hundred thousand digits", test_many_digits },
		{ "random numbers against repeated addition", test_random_numbers },
		{ "numbers made of integers", test_from_int },
		{ "comparing", test_compare },
		{ "the nearest double", test_real },
		{ NULL, NULL },
	};

	return suite_run("core/si", tests);
}
