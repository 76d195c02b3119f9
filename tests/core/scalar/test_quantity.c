/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "fail_malloc.h"
#include "quantity_case.h"
#include "scalar/quantity.h"
#include "suite.h"

/* Fifty digits: more than a quantity holds inside. */
static const char *const longest = "-12345678901234567890123456789012345678901234567891";

static void
test_zero(void)
{
	limen_quantity zero = LIMEN_QUANTITY_INIT;
	limen_quantity bytes;

	memset(&bytes, 0, sizeof bytes);
	CU_ASSERT(quantity_prints(&zero, "0"));
	CU_ASSERT(quantity_prints(&bytes, "0"));
	CU_ASSERT_EQUAL(limen_quantity_compare(&zero, &bytes), 0);
	CU_ASSERT_EQUAL(limen_quantity_get_family(&zero), LIMEN_QUANTITY_NONE);
	CU_ASSERT(limen_quantity_is_integer(&zero));
	limen_quantity_clear(&zero);
	limen_quantity_clear(&zero);
}

static void
test_from_int(void)
{
	static const struct {
		int64_t value;
		limen_quantity_family family;
		const char *text;
	} cases[] = {
		{ 0, LIMEN_QUANTITY_DECIMAL_SI, "0" },
		{ 1, LIMEN_QUANTITY_DECIMAL_SI, "1" },
		{ -1, LIMEN_QUANTITY_DECIMAL_SI, "-1" },
		{ 1000, LIMEN_QUANTITY_DECIMAL_SI, "1k" },
		{ 1000, LIMEN_QUANTITY_EXPONENT, "1e3" },
		{ 1000, LIMEN_QUANTITY_NONE, "1e3" },
		{ 1048576, LIMEN_QUANTITY_BINARY_SI, "1Mi" },
		{ 1048576, LIMEN_QUANTITY_DECIMAL_SI, "1048576" },
		{ INT64_MAX, LIMEN_QUANTITY_BINARY_SI, "9223372036854775807" },
		{ INT64_MIN, LIMEN_QUANTITY_BINARY_SI, "-8Ei" },
		{ INT64_MIN, LIMEN_QUANTITY_DECIMAL_SI, "-9223372036854775808" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity = limen_quantity_from_int(cases[i].value, cases[i].family);

		CU_ASSERT(quantity_prints(&quantity, cases[i].text));
		CU_ASSERT_EQUAL(limen_quantity_get_family(&quantity), cases[i].family);
		CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, 0), cases[i].value);
	}
}

static void
test_sign_and_integer(void)
{
	static const struct {
		const char *text;
		int sign;
		bool integer;
	} cases[] = {
		{ "0", 0, true },
		{ "-0.0", 0, true },
		{ "1", 1, true },
		{ "-1", -1, true },
		{ "1n", 1, false },
		{ "-1n", -1, false },
		{ "1000m", 1, true },
		{ "1001m", 1, false },
		{ "0.5Ki", 1, true },
		{ "9200000000000001", 1, true },
		{ "1e2147483647", 1, true },
		{ "100000000000000000000000000000000000000000000000000001", 1, true },
		{ "100000000000000000000000000000000000000000000000000001m", 1, false },
		{ "-100000000000000000000000000000000000000000000000000001m", -1, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity = read_quantity(cases[i].text);

		CU_ASSERT_EQUAL(limen_quantity_sign(&quantity), cases[i].sign);
		CU_ASSERT_EQUAL(limen_quantity_is_integer(&quantity), cases[i].integer);
		limen_quantity_clear(&quantity);
	}
}

/* Only what does not fit the struct is counted. */
static void
test_size(void)
{
	static const struct {
		const char *text;
		size_t size;
	} cases[] = {
		{ "0", 38 }, { "1e2147483647", 38 },
		{ "99999999999999999999999999999999999999", 38 },  /* 38 digits */
		{ "999999999999999999999999999999999999999", 39 }, /* 39 */
		{ "9999999999999999999999999999999999999990", 39 },
		{ "9999999999999999999999999999999999999.9", 38 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_quantity quantity = read_quantity(cases[i].text);

		CU_ASSERT_EQUAL(limen_quantity_size(&quantity), cases[i].size);
		limen_quantity_clear(&quantity);
	}
}

static void
test_copy(void)
{
	limen_quantity quantity = read_quantity(longest);
	limen_quantity copy;
	limen_quantity kept;

	CU_ASSERT_EQUAL_FATAL(limen_quantity_copy(&quantity, &copy), LIMEN_OK);
	limen_quantity_clear(&quantity);
	CU_ASSERT(quantity_prints(&quantity, "0"));
	CU_ASSERT(quantity_prints(&copy, longest));
	limen_quantity_clear(&copy);
	CU_ASSERT_EQUAL(limen_quantity_parse("007Mi", 5, LIMEN_QUANTITY_KEEP, &kept, NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_copy(&kept, &copy), LIMEN_OK);
	CU_ASSERT(quantity_prints(&copy, "007Mi"));
}

/* Whatever leads to a value, it looks the same inside. */
static void
test_one_form(void)
{
	static const char *const texts[][2] = {
		{ "1", "0001.000" },
		{ "1e3", "1000" },
		{ "-0", "0n" },
		{ "99999999999999999999999999999999999999",
		  "99999999999999999999999999999999999.999k" },
		{ "1e38", "100000000000000000000000000000000000000.0" },
		{ "0.5Gi", "512Mi" },
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		limen_quantity a = read_quantity(texts[i][0]);
		limen_quantity b = read_quantity(texts[i][1]);

		CU_ASSERT_PTR_NULL(a.digits);
		CU_ASSERT_PTR_NULL(b.digits);
		CU_ASSERT_EQUAL(a.high, b.high);
		CU_ASSERT_EQUAL(a.low, b.low);
		CU_ASSERT_EQUAL(a.exponent, b.exponent);
		CU_ASSERT_EQUAL(a.negative, b.negative);
	}
}

static void
test_power(void)
{
	wide power = 1;

	for (unsigned i = 0; i <= QUANTITY_INLINE; i++) {
		CU_ASSERT(quantity_power(i) == power);
		power *= 10;
	}
}

/* Without memory nothing changes and nothing is lost. */
static void
test_no_memory(void)
{
	limen_quantity quantity = read_quantity(longest);
	limen_quantity other = read_quantity("7");
	limen_quantity out = read_quantity("4711");
	char ratio[LIMEN_QUANTITY_RATIO_MAX];
	int order = 7;

	fail_malloc_from(1);
	CU_ASSERT_EQUAL(limen_quantity_parse(longest, strlen(longest), 0, &out, NULL),
	                LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_quantity_copy(&quantity, &out), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_quantity_add(&quantity, &other), LIMEN_ENOMEM);
	CU_ASSERT_EQUAL(limen_quantity_subtract(&other, &quantity), LIMEN_ENOMEM);
	CU_ASSERT_PTR_NULL(limen_quantity_to_text(&quantity));
	CU_ASSERT(fail_malloc_stop());
	CU_ASSERT(quantity_prints(&out, "4711"));
	CU_ASSERT(quantity_prints(&other, "7"));
	CU_ASSERT(quantity_prints(&quantity, longest));
	/* Comparing, dividing and rounding need none. */
	fail_malloc_from(1);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&quantity, &quantity, &other, &order),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(order, -1);
	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&quantity, &other, ratio), LIMEN_OK);
	CU_ASSERT_FALSE(limen_quantity_round_up(&quantity, 5));
	CU_ASSERT_FALSE(fail_malloc_stop());
	CU_ASSERT(quantity_prints(&quantity, "-12345678901234567890123456789012345678901234600k"));
	limen_quantity_clear(&quantity);
}

/* What is read in one go, and behind a sign part by part. */
static bool
is_read_alike(const char *digits, const char *unit)
{
	char text[CASE_TEXT];
	limen_quantity plain, whole;
	bool same;

	snprintf(text, sizeof text, "+%s%s", digits, unit);
	plain = read_quantity(text + 1);
	whole = read_quantity(text);
	same = limen_quantity_compare(&plain, &whole) == 0 && plain.high == whole.high &&
	       plain.low == whole.low && plain.exponent == whole.exponent &&
	       plain.count == whole.count && plain.negative == whole.negative &&
	       limen_quantity_get_family(&plain) == limen_quantity_get_family(&whole);
	if (!same)
		printf("# %s\n", text);
	limen_quantity_clear(&plain);
	limen_quantity_clear(&whole);
	return same;
}

static void
test_plain(void)
{
	static const char *const units[] = { "", "n", "u", "m", "k", "M", "G", "T", "P", "E",
		                             "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
	static const char *const digits[] = {
		"0", "00", "007", "1", "7", "8", "9", "10", "100", "999", "1000", "1024", "8191",
		"8192", "8388607", "8388608", "8589934591", "8589934592", "8796093022207",
		"8796093022208", "9007199254740991", "9007199254740992", "100000000000000000",
		"999999999999999999", "000000000000000001", "0000000000000000010",
		"1000000000000000000", "9223372036854775807", "9223372036854775808",
		"9999999999999999999", "18446744073709551615", "18446744073709551616",
	};

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		for (size_t j = 0; j < sizeof digits / sizeof digits[0]; j++)
			CU_ASSERT(is_read_alike(digits[j], units[i]));
	}
}

static void
test_not_plain(void)
{
	static const char *const texts[] = { "", "1i", "1ii", "1mi", "1ni", "1ki", "1K", "1KI",
		                             "1Kii", "1K1", "1 ", "1\200", "1e", "1ei", "1/" };
	limen_quantity quantity;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		CU_ASSERT_EQUAL(limen_quantity_parse(texts[i], strlen(texts[i]), 0, &quantity,
		                                     NULL),
		                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_quantity_parse("1\0", 2, 0, &quantity, NULL), LIMEN_EINVAL);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "zero bytes are a zero", test_zero },
		{ "quantities made of integers", test_from_int },
		{ "the sign, and whole numbers", test_sign_and_integer },
		{ "how long it is", test_size },
		{ "copies are independent", test_copy },
		{ "every value has one form", test_one_form },
		{ "powers of ten", test_power },
		{ "short memory", test_no_memory },
		{ "plain texts are read as with a sign", test_plain },
		{ "what is nearly a plain text", test_not_plain },
		{ NULL, NULL },
	};

	return suite_run("core/quantity", tests);
}
