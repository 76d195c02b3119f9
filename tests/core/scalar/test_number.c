/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar/scalar.h"

static void
test_scan(void)
{
	static const struct {
		const char *text;
		size_t length;
		bool integer; /* of the part that is a number */
	} cases[] = {
		{ "", 0, false },        { "-", 0, false },       { "+1", 0, false },
		{ ".5", 0, false },      { "a", 0, false },       { "--1", 0, false },
		{ "0", 1, true },        { "-0", 2, true },       { "01", 1, true },
		{ "-01", 2, true },      { "10", 2, true },       { "1x", 1, true },
		{ "1.", 1, true },       { "1.x", 1, true },      { "1.5", 3, false },
		{ "1.5.5", 3, false },   { "1e", 1, true },       { "1e+", 1, true },
		{ "1e5", 3, false },     { "1E-5", 4, false },    { "1.25e+10,", 8, false },
		{ "1e5e5", 3, false },   { "0e0", 3, false },     { "-0.0", 4, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = cases[i].text;

		CU_ASSERT_EQUAL(number_scan(text, strlen(text)), cases[i].length);
		CU_ASSERT_EQUAL(number_is_integer(text, cases[i].length), cases[i].integer);
	}
	CU_ASSERT_FALSE(number_is_integer("NaN", 3));
	CU_ASSERT_FALSE(number_is_integer("-Infinity", 9));
}

static void
test_int(void)
{
	static const struct {
		const char *text;
		bool fits;
		int64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "-0.0e5", true, 0 },
		{ "0e999999999999999999999", true, 0 },
		{ "0.000e-999999999999999999999", true, 0 },
		{ "1", true, 1 },
		{ "1.0", true, 1 },
		{ "1.000", true, 1 },
		{ "1e3", true, 1000 },
		{ "1E+3", true, 1000 },
		{ "1000e-3", true, 1 },
		{ "1000e-4", false, 0 },
		{ "1.50e1", true, 15 },
		{ "1.55e1", false, 0 },
		{ "0.001e3", true, 1 },
		{ "0.001e2", false, 0 },
		{ "-2.5", false, 0 },
		{ "-25e-1", false, 0 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", false, 0 },
		{ "9223372036854775806.999", false, 0 },
		{ "9.223372036854775807e18", true, INT64_MAX },
		{ "92233720368547758070000e-4", true, INT64_MAX },
		{ "-9223372036854775808", true, INT64_MIN },
		{ "-9223372036854775809", false, 0 },
		{ "9007199254740993.0", true, 9007199254740993 },
		{ "18446744073709551615", false, 0 },
		{ "18446744073709551616", false, 0 },
		{ "1e18", true, 1000000000000000000 },
		{ "1e19", false, 0 },
		{ "1e20", false, 0 },
		{ "1e999999999999999999999", false, 0 },
		{ "1e-999999999999999999999", false, 0 },
		{ "100000000000000000000000000000e-29", true, 1 },
		{ "NaN", false, 0 },
		{ "Infinity", false, 0 },
		{ "-Infinity", false, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = 0;

		CU_ASSERT_EQUAL(number_int(cases[i].text, strlen(cases[i].text), &value),
		                cases[i].fits);
		CU_ASSERT_EQUAL(value, cases[i].value);
	}
}

/* The digits of an integer, with the point moved and the exponent making up for it. */
static void
test_int_moved(void)
{
	uint64_t seed = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		int64_t wanted, found = 0;
		char plain[32], text[64];
		size_t length, cut;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		wanted = (int64_t)(seed >> (i % 64) & INT64_MAX);
		length = (size_t)snprintf(plain, sizeof(plain), "%lld", (long long)wanted);
		cut = 1 + seed % length;
		length = (size_t)snprintf(text, sizeof(text), "%.*s.%s0e%zu", (int)cut, plain,
		                          plain + cut, length - cut);
		if (!number_int(text, length, &found) || found != wanted)
			CU_FAIL(text);
	}
}

/* As printf() writes it, and it reads back as the same. */
static void
check_written(int64_t value)
{
	char wanted[32], found[NUMBER_INT_MAX];
	size_t length = number_write_int(value, found);
	int64_t again = 0;

	snprintf(wanted, sizeof(wanted), "%lld", (long long)value);
	if (length != strlen(wanted) || memcmp(found, wanted, length) != 0)
		CU_FAIL(wanted);
	if (!number_int(wanted, length, &again) || again != value)
		CU_FAIL(wanted);
}

static void
test_write_int(void)
{
	static const int64_t ends[] = { 0, 1, -1, 9, 10, -10, 99, 100, INT64_MAX, INT64_MIN };
	uint64_t seed = 88172645463325252u;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		check_written(ends[i]);
	for (int i = 0; i < 20000; i++) {
		int64_t value;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		value = (int64_t)(seed >> (i % 64) & INT64_MAX);
		check_written(i % 2 == 0 ? value : -value);
	}
}

static void
test_real(void)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "0", 0 },
		{ "0.1", 0.1 },
		{ "-2.5e-7", -2.5e-7 },
		{ "1e308", 1e308 },
		{ "4.9e-324", 4.9406564584124654e-324 },
		{ "9007199254740993", 9007199254740992.0 },
		{ "1e400", HUGE_VAL },
		{ "-Infinity", -HUGE_VAL },
	};
	double found;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_TRUE(number_real(cases[i].text, &found));
		CU_ASSERT_TRUE(found == cases[i].value);
	}
	CU_ASSERT_TRUE(number_real("NaN", &found) && isnan(found));
	CU_ASSERT_TRUE(number_real("-0.0", &found) && signbit(found));
}

static void
test_locale(void)
{
	double found = 0;

	if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
		suite_skip("no locale with a decimal comma is installed");
		return;
	}
	CU_ASSERT_TRUE(number_real("1.5", &found) && found == 1.5);
	setlocale(LC_ALL, "C");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a number ends where RFC 8259 says", test_scan },
		{ "integers are exact, however they are written", test_int },
		{ "moving the decimal point changes nothing", test_int_moved },
		{ "integers are written as printf() does", test_write_int },
		{ "reals are the nearest double", test_real },
		{ "the locale's decimal comma has no effect", test_locale },
		{ NULL, NULL },
	};

	return suite_run("core/number", tests);
}
