/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

static void
test_round_up(void)
{
	static const struct {
		const char *text;
		int32_t scale;
		bool exact;
		const char *rounded;
	} cases[] = {
		{ "0", -3, true, "0" },
		{ "0", INT32_MAX, true, "0" },
		{ "1m", -3, true, "1m" },
		{ "1n", -3, false, "1m" },
		{ "-1n", -3, false, "-1m" },
		{ "100u", -3, false, "1m" },
		{ "0.9999", -3, false, "1" },
		{ "-0.9999", -3, false, "-1" },
		{ "0.999", -3, true, "999m" },
		{ "1000000001n", -3, false, "1001m" },
		{ "1001u", -3, false, "2m" },
		{ "1Gi", -3, true, "1Gi" },
		{ "0.1Ki", 0, false, "103" },
		{ "1001", 3, false, "2k" },
		{ "1000", 3, true, "1k" },
		{ "999999", 3, false, "1M" },
		{ "1", 19, false, "10E" },
		{ "1", 38, false, "100e36" },
		{ "1", 39, false, "1e39" },
		{ "1", 40, false, "10e39" },
		{ "5", INT32_MAX, false, "10e2147483646" },
		{ "1", INT32_MIN, true, "1" },
		{ "1e2147483647", INT32_MAX, true, "10e2147483646" },
		/* Binary units do not reach that far. */
		{ "1Ki", 40, false, "10e39" },
		{ "1Ki", 2000000000, false, "100e1999999998" },
		/* More digits than a quantity holds inside. */
		{ "100000000000000000000000000000000000000.000000001", -3, false,
		  "100000000000000000000000000000000000000001m" },
		{ "-100000000000000000000000000000000000000.000000001", 0, false,
		  "-100000000000000000000000000000000000001" },
		{ "999999999999999999999999999999999999999.999999999", 0, false, "1e39" },
		{ "999999999999999999999999999999999999999.999999999", 39, false, "1e39" },
		{ "999999999999999999999999999999999999999.999999999", 50, false, "100e48" },
		{ "100000000000000000000000000000000000000000001", 0, true,
		  "100000000000000000000000000000000000000000001" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity = read_quantity(cases[i].text);

		CU_ASSERT_EQUAL(limen_quantity_round_up(&quantity, cases[i].scale), cases[i].exact);
		CU_ASSERT(quantity_prints(&quantity, cases[i].rounded));
		CU_ASSERT(limen_quantity_round_up(&quantity, cases[i].scale));
		limen_quantity_clear(&quantity);
	}
}

/* Rounding that changes something drops the remembered text; other rounding does not. */
static void
test_kept(void)
{
	limen_quantity quantity;

	CU_ASSERT_EQUAL(limen_quantity_parse("1.500", 5, LIMEN_QUANTITY_KEEP, &quantity, NULL),
	                LIMEN_OK);
	CU_ASSERT(limen_quantity_round_up(&quantity, LIMEN_QUANTITY_MILLI));
	CU_ASSERT(quantity_prints(&quantity, "1.500"));
	CU_ASSERT_FALSE(limen_quantity_round_up(&quantity, LIMEN_QUANTITY_ONE));
	CU_ASSERT(quantity_prints(&quantity, "2"));
}

static void
test_scaled(void)
{
	static const struct {
		const char *text;
		int64_t one;
		int64_t milli;
	} cases[] = {
		{ "0", 0, 0 },
		{ "1", 1, 1000 },
		{ "-1", -1, -1000 },
		{ "1n", 1, 1 },
		{ "-1n", -1, -1 },
		{ "1m", 1, 1 },
		{ "100m", 1, 100 },
		{ "1001m", 2, 1001 },
		{ "-1001m", -2, -1001 },
		{ "1.0000001", 2, 1001 },
		{ "1Gi", 1073741824, 1073741824000 },
		{ "9223372036854775806", INT64_MAX - 1, INT64_MAX },
		{ "9223372036854775807", INT64_MAX, INT64_MAX },
		{ "9223372036854775808", INT64_MAX, INT64_MAX },
		{ "9223372036854775806.1", INT64_MAX, INT64_MAX },
		{ "9223372036854775807.1", INT64_MAX, INT64_MAX },
		{ "-9223372036854775807", -INT64_MAX, INT64_MIN },
		{ "-9223372036854775807.1", INT64_MIN, INT64_MIN },
		{ "-9223372036854775808", INT64_MIN, INT64_MIN },
		{ "-9223372036854775809", INT64_MIN, INT64_MIN },
		{ "9223372036854775807m", 9223372036854776, INT64_MAX },
		{ "9223372036854775808m", 9223372036854776, INT64_MAX },
		{ "9223372036854775806999u", 9223372036854776, INT64_MAX },
		{ "9223372036854775805999u", 9223372036854776, INT64_MAX - 1 },
		{ "18446744073709551616", INT64_MAX, INT64_MAX },
		{ "9999999999999999999", INT64_MAX, INT64_MAX },
		{ "10E", INT64_MAX, INT64_MAX },
		{ "1e2147483647", INT64_MAX, INT64_MAX },
		{ "-1e2147483647", INT64_MIN, INT64_MIN },
		{ "100000000000000000000000000000000000000000000000001", INT64_MAX, INT64_MAX },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity quantity = read_quantity(cases[i].text);

		CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, LIMEN_QUANTITY_ONE), cases[i].one);
		CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, LIMEN_QUANTITY_MILLI),
		                cases[i].milli);
		CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, INT32_MAX),
		                cases[i].one == 0 ? 0 : limen_quantity_sign(&quantity));
		limen_quantity_clear(&quantity);
	}
}

/* More digits than the units asked for, where the last ones still count. */
static void
test_scaled_long(void)
{
	limen_quantity quantity = read_quantity("100000000000000000000000000000.000000001");

	CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, 20), 1000000001);
	CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, 29), 2);
	CU_ASSERT_EQUAL(limen_quantity_scaled(&quantity, 30), 1);
	limen_quantity_clear(&quantity);
}

/* Rows can tell nine decimals and less. */
static bool
is_rounded_right(const char *text, int places)
{
	limen_quantity quantity = read_quantity(text);
	row expected = row_read(text);
	char *printed;
	row got;

	quantity.family = LIMEN_QUANTITY_EXPONENT;
	row_round(&expected, places);
	limen_quantity_round_up(&quantity, -places);
	printed = limen_quantity_to_text(&quantity);
	if (printed == NULL)
		abort();
	got = row_read(printed);
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
		wrong += !is_rounded_right(text, 9 - (int)draw_number(40));
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* What is not above something else is not above it after rounding either. */
static void
test_monotone(void)
{
	int wrong = 0;

	for (int i = 0; i < 10000; i++) {
		int32_t scale = (int32_t)draw_number(30) - 12;
		char texts[2][CASE_TEXT];
		limen_quantity a;
		limen_quantity b;
		int before;

		draw_text(texts[0], 20);
		draw_text(texts[1], 20);
		a = read_quantity(texts[0]);
		b = read_quantity(texts[1]);
		before = limen_quantity_compare(&a, &b);
		limen_quantity_round_up(&a, scale);
		limen_quantity_round_up(&b, scale);
		wrong += before * limen_quantity_compare(&a, &b) < 0;
		limen_quantity_clear(&a);
		limen_quantity_clear(&b);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "rounding away from zero", test_round_up },
		{ "rounding and the written form", test_kept },
		{ "whole and milli values, saturated", test_scaled },
		{ "units of large powers of ten", test_scaled_long },
		{ "random quantities against rows of digits", test_random },
		{ "rounding keeps the order", test_monotone },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_round", tests);
}
