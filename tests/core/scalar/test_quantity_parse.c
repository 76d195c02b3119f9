/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity_case.h"
#include "suite.h"

enum {
	SI = LIMEN_QUANTITY_DECIMAL_SI,
	BIN = LIMEN_QUANTITY_BINARY_SI,
	EXP = LIMEN_QUANTITY_EXPONENT
};

static const char bad_format[] = "quantities must match the regular expression "
				 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
static const char bad_suffix[] = "unable to parse quantity's suffix";
static const char no_digits[] = "unable to parse numeric part of quantity";

struct reading {
	const char *text;
	const char *canonical;
	const char *kept; /* NULL: as canonical */
	int family;
};

/* What the package k8s.io/apimachinery/pkg/api/resource v0.37.0-beta.0 answered. */
static const struct reading upstream[] = {
	{ "0", "0", NULL, SI },
	{ "00", "0", NULL, SI },
	{ "-0", "0", NULL, SI },
	{ "0Ki", "0", NULL, BIN },
	{ "1", "1", NULL, SI },
	{ "01", "1", "01", SI },
	{ "+1", "1", "+1", SI },
	{ "1.", "1", "1.", SI },
	{ "1.0", "1", NULL, SI },
	{ "1.000", "1", NULL, SI },
	{ "1.500", "1500m", "1.500", SI },
	{ "1.5", "1500m", NULL, SI },
	{ "0.1", "100m", NULL, SI },
	{ "0.100", "100m", NULL, SI },
	{ "0.5", "500m", NULL, SI },
	{ ".5", "500m", NULL, SI },
	{ "0.001", "1m", NULL, SI },
	{ "0.0001", "100u", NULL, SI },
	{ "100m", "100m", NULL, SI },
	{ "1000m", "1", NULL, SI },
	{ "1024m", "1024m", NULL, SI },
	{ "1000", "1k", NULL, SI },
	{ "1024", "1024", NULL, SI },
	{ "1000k", "1M", NULL, SI },
	{ "1000000", "1M", NULL, SI },
	{ "123456", "123456", NULL, SI },
	{ "1000M", "1G", NULL, SI },
	{ "1001M", "1001M", NULL, SI },
	{ "1000P", "1E", NULL, SI },
	{ "1E", "1E", NULL, SI },
	{ "1E3", "1e3", "1E3", EXP },
	{ "1e3", "1e3", NULL, EXP },
	{ "1e+3", "1e3", "1e+3", EXP },
	{ "1E-3", "1e-3", "1E-3", EXP },
	{ "1e0", "1", "1e0", EXP },
	{ "1e1", "10", NULL, EXP },
	{ "1e2", "100", NULL, EXP },
	{ "10e2", "1e3", NULL, EXP },
	{ "1.5e3", "1500", NULL, EXP },
	{ "12e6", "12e6", NULL, EXP },
	{ "5e-1", "500e-3", NULL, EXP },
	{ "1e17", "100e15", NULL, EXP },
	{ "1e-9", "1e-9", NULL, EXP },
	{ "1e-10", "1e-9", NULL, EXP },
	{ "1.1E-9", "2e-9", NULL, EXP },
	{ "1000n", "1u", NULL, SI },
	{ "0.1n", "1n", NULL, SI },
	{ "3.001n", "4n", NULL, SI },
	{ "-0.1n", "-1n", NULL, SI },
	{ "0.1m", "100u", NULL, SI },
	{ "0.123456789", "123456789n", NULL, SI },
	{ "0.1234567891", "123456790n", NULL, SI },
	{ "1.0000000001", "1000000001n", NULL, SI },
	{ "8Ki", "8Ki", NULL, BIN },
	{ "1024Ki", "1Mi", NULL, BIN },
	{ "1000Ki", "1000Ki", NULL, BIN },
	{ "1025Ki", "1025Ki", NULL, BIN },
	{ "007Mi", "7Mi", "007Mi", BIN },
	{ "1536Mi", "1536Mi", NULL, BIN },
	{ "0.5Ki", "512", NULL, BIN },
	{ "0.5Gi", "512Mi", NULL, BIN },
	{ "1.5Gi", "1536Mi", NULL, BIN },
	{ "0.1Ki", "102400m", NULL, BIN },
	{ "1.1Ki", "1126400m", NULL, BIN },
	{ "0.1Gi", "107374182400m", NULL, BIN },
	{ "0.007Mi", "7340032m", NULL, BIN },
	{ "100.035Ki", "102435840m", NULL, BIN },
	{ "-1.5Gi", "-1536Mi", NULL, BIN },
	{ "0.000000000001Ki", "2n", NULL, SI },
	{ ".001Ki", "1024m", NULL, BIN },
	{ "100.035k", "100035", "100.035k", SI },
	{ "10.035M", "10035k", "10.035M", SI },
	{ "0.0005k", "500m", NULL, SI },
	{ "7.9Ei", "9108079886394091110400m", NULL, BIN },
	{ "8Ei", "9223372036854775807", NULL, BIN },
	{ "-8Ei", "-9223372036854775807", NULL, BIN },
	{ "16Ei", "9223372036854775807", NULL, BIN },
	{ "9.3E", "9300P", NULL, SI },
	{ "10E", "10E", NULL, SI },
	{ "1000E", "1e21", NULL, SI },
	{ "1e21", "1e21", NULL, EXP },
	{ "1e100", "10e99", NULL, EXP },
	{ "9223372036854775808", "9223372036854775808", NULL, SI },
	{ "18446744073709551616", "18446744073709551616", NULL, SI },
	{ "1000000000000000000", "1E", NULL, SI },
	{ "1000000000000000000.1", "1000000000000000000100m", NULL, SI },
	{ "9999999999999999999000m", "9999999999999999999", NULL, SI },
	{ "128974848", "128974848", NULL, SI },
	{ "129e6", "129e6", NULL, EXP },
	{ "123Mi", "123Mi", NULL, BIN },
	{ "+", "0", NULL, SI },
	{ "-.", "0", NULL, SI },
	{ "m", "0", NULL, SI },
	{ "Ki", "0", NULL, BIN },
	{ "e3", "0", NULL, EXP },
};

/* Boundaries that follow from the same rules. */
static const struct reading boundaries[] = {
	/* Leading zeros and signs. */
	{ "-", "0", NULL, SI },
	{ ".", "0", NULL, SI },
	{ "+.", "0", NULL, SI },
	{ "-00", "0", NULL, SI },
	{ "0.", "0", NULL, SI },
	{ "0.0", "0", NULL, SI },
	{ "-0.0Gi", "0", NULL, BIN },
	{ "E", "0", NULL, SI },
	{ ".m", "0", NULL, SI },
	{ ".Ki", "0", NULL, BIN },
	{ "-.Ti", "0", NULL, BIN },
	{ "0Pi", "0", NULL, BIN },
	{ ".0Ei", "0", NULL, BIN },
	{ "P", "0", NULL, SI },
	{ "n", "0", NULL, SI },
	{ "e-9", "0", NULL, EXP },
	{ "e2147483647", "0", NULL, EXP },
	{ "0e2147483647", "0", NULL, EXP },
	{ "0e-2147483647", "0", NULL, EXP },
	{ "-5", "-5", NULL, SI },
	{ "-5m", "-5m", NULL, SI },
	{ "0000000000000000000000000000005", "5", "0000000000000000000000000000005", SI },
	{ "0.00000000000000000000000000000", "0", NULL, SI },
	/* Exponents. */
	{ "1e00000000000000000000000003", "1e3", "1e00000000000000000000000003", EXP },
	{ "1e-0", "1", "1e-0", EXP },
	{ "1e2147483647", "10e2147483646", NULL, EXP },
	{ "1e+2147483646", "1e2147483646", "1e+2147483646", EXP },
	{ "1e-2147483647", "1e-9", NULL, EXP },
	{ "-1e-2147483647", "-1e-9", NULL, EXP },
	{ "1.5e-2147483647", "1e-9", NULL, EXP },
	/* Exponents that can be read again are not exceeded. */
	{ "10e2147483647", "100e2147483646", NULL, EXP },
	{ "1000e2147483647", "10000e2147483646", NULL, EXP },
	{ "1000e2147483645", "100e2147483646", NULL, EXP },
	/* Nine decimals, and then away from zero. */
	{ "1n", "1n", NULL, SI },
	{ "0.999999999", "999999999n", NULL, SI },
	{ "0.9999999991", "1", NULL, SI },
	{ "-0.9999999991", "-1", NULL, SI },
	{ "0.00000000099999999999999999999999", "1n", NULL, SI },
	{ "999999999999999999999999999999999999999.9999999999", "1e39", NULL, SI },
	{ "1.9n", "2n", NULL, SI },
	{ "9.000000000000000000000000000000000000000000000001n", "10n", NULL, SI },
	{ "0.0000000000000000001Ei", "115292151n", NULL, SI },
	/* The largest binary quantity, and one below. */
	{ "9007199254740991Ki", "9007199254740991Ki", NULL, BIN },
	{ "9007199254740992Ki", "9223372036854775807", NULL, BIN },
	{ "7Ei", "7Ei", NULL, BIN },
	{ "7.999999999999999999Ei", "9223372036854775806847078496n", NULL, BIN },
	{ "7.99999999999999999999999999Ei", "9223372036854775807", NULL, BIN },
	{ "99999999999999999999999999999999999999999Ki", "9223372036854775807", NULL, BIN },
	{ "-99999999999999999999999999999999999999999Ki", "-9223372036854775807", NULL, BIN },
	{ "8191Pi", "8191Pi", NULL, BIN },
	{ "8192Pi", "9223372036854775807", NULL, BIN },
	/* Below one the binary family ends; at one it does not. */
	{ "0.0009765625Ki", "1", NULL, BIN },
	{ "0.0009765624Ki", "999999898n", NULL, SI },
	{ "0.00097656249999Ki", "1", NULL, BIN },
	{ "-0.0009765624Ki", "-999999898n", NULL, SI },
	/* 1024 bytes are the first that have a unit. */
	{ "1023.5", "1023500m", NULL, SI },
	{ "1Ki", "1Ki", NULL, BIN },
	{ "0.9990234375Ki", "1023", NULL, BIN },
	{ "1.0009765625Ki", "1025", NULL, BIN },
	{ "-0.9990234375Ki", "-1023", NULL, BIN },
	{ "-1Ki", "-1Ki", NULL, BIN },
	/* Up to 18 a decimal unit has a letter. */
	{ "999E", "999E", NULL, SI },
	{ "1001E", "1001E", NULL, SI },
	{ "10000E", "10e21", NULL, SI },
	{ "1000000E", "1e24", NULL, SI },
	{ "1e18", "1e18", NULL, EXP },
	/* Numbers around the width of a machine word, and of two. */
	{ "9999999999999999999", "9999999999999999999", NULL, SI },
	{ "18446744073709551615", "18446744073709551615", NULL, SI },
	{ "99999999999999999999", "99999999999999999999", NULL, SI },
	{ "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", NULL,
	  SI },
	{ "100000000000000000000000000000000000001", "100000000000000000000000000000000000001",
	  NULL, SI },
	{ "340282366920938463463374607431768211456", "340282366920938463463374607431768211456",
	  NULL, SI },
	{ "-340282366920938463463374607431768211457.5m",
	  "-340282366920938463463374607431768211457500u", NULL, SI },
	/* What is kept: up to 18 digits, a scale divisible by three, not ending in 000. */
	{ "+123456789012345678", "123456789012345678", "+123456789012345678", SI },
	{ "+1234567890123456789", "1234567890123456789", NULL, SI },
	{ "+100", "100", "+100", SI },
	{ "+1000", "1k", NULL, SI },
	{ "+10100", "10100", "+10100", SI },
	{ "1.200", "1200m", "1.200", SI },
	{ "1.2000", "1200m", NULL, SI },
	{ "1.23", "1230m", NULL, SI },
	{ "0.123", "123m", NULL, SI },
	{ "1.123456789", "1123456789n", "1.123456789", SI },
	{ "1.123456789012", "1123456790n", NULL, SI },
	{ "1.001n", "2n", NULL, SI },
	{ "1E+0003", "1e3", "1E+0003", EXP },
	{ "1E4", "10e3", NULL, EXP },
	{ "-1E3", "-1e3", "-1E3", EXP },
	{ "09Mi", "9Mi", "09Mi", BIN },
	{ "08Mi", "8Mi", NULL, BIN },
	{ "012Mi", "12Mi", "012Mi", BIN },
	{ "09.Mi", "9Mi", "09.Mi", BIN },
	{ "09.0Mi", "9Mi", NULL, BIN },
	{ "+99999999999Ki", "99999999999Ki", "+99999999999Ki", BIN },
	{ "+100000000001Ki", "100000000001Ki", NULL, BIN },
	{ "+99999999Mi", "99999999Mi", "+99999999Mi", BIN },
	{ "+100000001Mi", "100000001Mi", NULL, BIN },
	{ "+99999Gi", "99999Gi", "+99999Gi", BIN },
	{ "+100001Gi", "100001Gi", NULL, BIN },
	{ "+99Ti", "99Ti", "+99Ti", BIN },
	{ "+101Ti", "101Ti", NULL, BIN },
	{ "+1Pi", "1Pi", NULL, BIN },
	{ "+1Ei", "1Ei", NULL, BIN },
};

static void
check_reading(const struct reading *reading)
{
	const char *why = "untouched";
	limen_quantity quantity;
	int result = limen_quantity_parse(reading->text, strlen(reading->text), 0, &quantity, &why);

	CU_ASSERT_EQUAL(result, LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(why, "untouched");
	if (result != LIMEN_OK)
		return;
	CU_ASSERT(quantity_prints(&quantity, reading->canonical));
	CU_ASSERT_EQUAL((int)limen_quantity_get_family(&quantity), reading->family);
	limen_quantity_clear(&quantity);
	result = limen_quantity_parse(reading->text, strlen(reading->text), LIMEN_QUANTITY_KEEP,
	                              &quantity, NULL);
	CU_ASSERT_EQUAL_FATAL(result, LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity,
	                          reading->kept == NULL ? reading->canonical : reading->kept));
	limen_quantity_clear(&quantity);
}

static void
test_upstream(void)
{
	for (size_t i = 0; i < sizeof upstream / sizeof upstream[0]; i++)
		check_reading(&upstream[i]);
}

static void
test_boundaries(void)
{
	for (size_t i = 0; i < sizeof boundaries / sizeof boundaries[0]; i++)
		check_reading(&boundaries[i]);
}

static void
check_error(const char *text, size_t length, const char *expected)
{
	limen_quantity quantity = limen_quantity_from_int(4711, LIMEN_QUANTITY_DECIMAL_SI);
	const char *why = "nothing";
	int result = limen_quantity_parse(text, length, LIMEN_QUANTITY_KEEP, &quantity, &why);

	if (result == LIMEN_OK || strcmp(why, expected) != 0)
		printf("# %.40s: %s\n", text, why);
	CU_ASSERT_EQUAL(result, LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(why, expected);
	CU_ASSERT(quantity_prints(&quantity, "4711"));
	CU_ASSERT_EQUAL(limen_quantity_parse(text, length, 0, &quantity, NULL), LIMEN_EINVAL);
}

static void
test_bad_format(void)
{
	static const char *const texts[] = {
		"", " 1", "1 ", "1 Gi", "1Gib", "1KB", "1g", "1B", "1Z", "1..2", "1.2.3", "1e1.5",
		"1e1e1", "0x10", "1,000", "1_000", "NaN", "Inf", "Non-Numeric", "aoeu", "0.1am",
		"1.1.M", "1+1.0M", " ", "1\t", "1\n", "1e1 ", "1e+-1", "1Ki5i", "1k3k", "1.5.",
		"\302\2401", "1\302\240", "\331\241", "1\200", "\377", "1mm1m", "1--",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		check_error(texts[i], strlen(texts[i]), bad_format);
	check_error("1\0", 2, bad_format);
	check_error("\0", 1, bad_format);
	check_error("1\0k", 3, bad_format);
	check_error("1e1\0", 4, bad_format);
}

static void
test_bad_suffix(void)
{
	static const char *const texts[] = {
		"1K", "1ki", "1mi", "1i", ".5i", "1e", "1Ee", "1k3", "1m-3", "1Ki5", "--1", "+-1",
		"0e", "-3.01e-", "1e99999999999999999999", "1e4294967297", "1e2147483648",
		"1e-2147483648", "0e2147483648", "1e9223372036854775808", "1e+", "1-", "1+3",
		"1eE3", "1ui", "1ni", "1ei", "1ii", "1KiKi", "1KK", "1nn", "1EE", "1kM", "K", "--",
		"1Eie3", "1e0000000000000000000002147483648",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		check_error(texts[i], strlen(texts[i]), bad_suffix);
}

/* kube-apiserver 1.36.2 answers each of these with 400. */
static void
test_no_digits(void)
{
	static const char *const numbers[] = { "", "+", "-", ".", "+.", "-." };
	static const char *const suffixes[] = { "Pi", "Ei", "e-10", "E-10", "e-11",
		                                "E-2147483647" };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		for (size_t j = 0; j < sizeof suffixes / sizeof *suffixes; j++) {
			char text[32];

			snprintf(text, sizeof text, "%s%s", numbers[i], suffixes[j]);
			check_error(text, strlen(text), no_digits);
		}
	}
}

/* Bytes behind the text do not count. */
static void
test_length(void)
{
	limen_quantity quantity;

	CU_ASSERT_EQUAL(limen_quantity_parse("128Mi", 4, 0, &quantity, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "128M"));
	CU_ASSERT_EQUAL(limen_quantity_parse("128Mi", 3, 0, &quantity, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "128"));
	CU_ASSERT_EQUAL(limen_quantity_parse("1.5", 2, 0, &quantity, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "1"));
	CU_ASSERT_EQUAL(limen_quantity_parse("1e31", 3, 0, &quantity, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "1e3"));
}

static void
check_long(const char *text, size_t length, const char *expected)
{
	limen_quantity quantity;

	CU_ASSERT_EQUAL_FATAL(limen_quantity_parse(text, length, 0, &quantity, NULL), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, expected));
	limen_quantity_clear(&quantity);
}

static void
check_too_long(const char *text, size_t length)
{
	check_error(text, length, "quantities may have at most 64 significant digits");
}

/* 64 digits, from the first to the last that is not 0, and no more. */
static void
test_many_digits(void)
{
	static const char first[] = "1234567890123456789012345678901234567890123456789012345678901234";
	const size_t size = 1000000;
	char text[] = "+000.12345678901234567890123456789012345678901234567890123456789012345000";
	char *zeros = malloc(size + 16);

	CU_ASSERT_PTR_NOT_NULL_FATAL(zeros);
	check_long(first, 64, first);
	check_too_long(text, sizeof(text) - 1);
	text[sizeof(text) - 5] = '0';
	check_long(text, sizeof(text) - 1, "123456790n");
	check_too_long("12345678901234567890123456789012345678901234567890123456789012345", 65);
	check_too_long("1000000000000000000000000000000000000000000000000000000000000000.1", 66);
	check_too_long("10000000000000000000000000000000000000000000000000000000000000001e9", 67);
	check_long("1000000000000000000000000000000000000000000000000000000000000001e2147483647", 75,
	           "10000000000000000000000000000000000000000000000000000000000000010e2147483646");
	check_long("999999999999999999999999999999999999999999999999999999.9999999999", 65, "1e54");
	check_long("9999999999999999999999999999999999999999999999999999999999999999Ki", 66,
	           "9223372036854775807");
	check_long("0.9999999999999999999999999999999999999999999999999999999999999999Ki", 68, "1Ki");
	check_too_long("0.99999999999999999999999999999999999999999999999999999999999999999Ki", 69);
	/* Zeros at either end are not counted. */
	memset(zeros, '0', size);
	check_long(zeros, size, "0");
	zeros[1] = '.';
	zeros[size - 1] = '1';
	check_long(zeros, size, "1n");
	zeros[1] = '0';
	memcpy(zeros + size, "Mi", 2);
	check_long(zeros, size + 2, "1Mi");
	zeros[0] = '1';
	check_too_long(zeros, size);
	zeros[size - 1] = '0';
	check_long(zeros, size, "1e999999");
	zeros[63] = '1';
	memcpy(zeros + size, "e-999936", 8);
	check_long(zeros, size + 8, "1000000000000000000000000000000000000000000000000000000000000001");
	free(zeros);
}

static bool
is_read_alike(const char *text)
{
	limen_quantity quantity = read_quantity(text);
	row expected = row_read(text);
	char *printed = limen_quantity_to_text(&quantity);
	row got;

	if (printed == NULL)
		abort();
	got = row_read(printed);
	if (row_compare(&got, &expected) != 0)
		printf("# %s: %s\n", text, printed);
	free(printed);
	limen_quantity_clear(&quantity);
	return row_compare(&got, &expected) == 0;
}

static void
test_random(void)
{
	int wrong = 0;

	for (int i = 0; i < 20000; i++) {
		char text[CASE_TEXT];

		draw_text(text, i % 2 == 0 ? 9 : 32);
		wrong += !is_read_alike(text);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what Kubernetes answered", test_upstream },
		{ "boundaries", test_boundaries },
		{ "texts of the wrong form", test_bad_format },
		{ "suffixes that mean nothing", test_bad_suffix },
		{ "numbers without digits", test_no_digits },
		{ "only 'length' bytes count", test_length },
		{ "64 digits, and more", test_many_digits },
		{ "random texts against repeated addition", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_parse", tests);
}
