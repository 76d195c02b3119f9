/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

/* In rising order. */
static const char *const rising[] = {
	"-1e2147483647",
	"-1e10000000",
	"-100000000000000000000000000000000000000001",
	"-100000000000000000000000000000000000000000.9",
	"-1e39",
	"-99999999999999999999999999999999999999",
	"-18446744073709551616",
	"-18446744073709551615",
	"-1e19",
	"-8Ei",
	"-1Ki",
	"-1k",
	"-1.000000001",
	"-1",
	"-999999999n",
	"-1n",
	"0",
	"1n",
	"2n",
	"1u",
	"999999999n",
	"1",
	"1000000001n",
	"999",
	"1k",
	"1023.999999999",
	"1Ki",
	"1025",
	"9007199254740992",
	"9007199254740993",
	"8Ei",
	"9223372036854775808",
	"1e19",
	"18446744073709551615",
	"18446744073709551616",
	"18446744073709551616000000001n",
	"99999999999999999999",
	"100E",
	"99999999999999999999999999999.999999999",
	"99999999999999999999999999999999999999",
	"1e38",
	"100000000000000000000000000000000000001",
	"340282366920938463463374607431768211455",
	"340282366920938463463374607431768211456",
	"999999999999999999999999999999999999999999999999999999999998",
	"999999999999999999999999999999999999999999999999999999999999",
	"1e60",
	"1e10000000",
	"1000000001e9999992",
	"1e2147483647",
	"10.00000001e2147483647",
	"100000000000000000000000000000000000000000000000001e2147483647",
	"100000000000000000000000000000000000000000000000002e2147483647",
};

static void
test_order(void)
{
	const int count = sizeof rising / sizeof rising[0];

	for (int i = 0; i < count; i++) {
		for (int j = 0; j < count; j++) {
			limen_quantity a = read_quantity(rising[i]);
			limen_quantity b = read_quantity(rising[j]);
			int order = limen_quantity_compare(&a, &b);

			if (order != (i > j) - (i < j))
				printf("# %s, %s: %d\n", rising[i], rising[j], order);
			CU_ASSERT_EQUAL(order, (i > j) - (i < j));
			limen_quantity_clear(&a);
			limen_quantity_clear(&b);
		}
	}
}

/* The same value in whatever form. */
static void
test_equal(void)
{
	static const char *const pairs[][2] = {
		{ "0", "-0" },
		{ "0", "0Ki" },
		{ "0", "0e2147483647" },
		{ "1", "1000m" },
		{ "1", "1000000000n" },
		{ "20Gi", "20480Mi" },
		{ "1Ki", "1024" },
		{ "1Ki", "1.024k" },
		{ "1024k", "1000Ki" },
		{ "1E", "1000P" },
		{ "1E", "1e18" },
		{ "100E", "100000000000000000000" },
		{ "16Ei", "8Ei" },
		{ "0.1n", "1n" },
		{ "1e2147483647", "1000000000000000000000000000000000000000000e2147483605" },
		{ "1.50", "1500m" },
		{ "123456789012345678901234567890123456789012345678.9k",
		  "123456789012345678901234567890123456789012345678900" },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		limen_quantity a = read_quantity(pairs[i][0]);
		limen_quantity b = read_quantity(pairs[i][1]);

		CU_ASSERT_EQUAL(limen_quantity_compare(&a, &b), 0);
		CU_ASSERT_EQUAL(limen_quantity_compare(&b, &a), 0);
		limen_quantity_clear(&a);
		limen_quantity_clear(&b);
	}
}

/* Numbers of 64 digits that differ in the last one. */
static void
test_many_digits(void)
{
	char text[65] = "";
	limen_quantity a;
	limen_quantity b;

	memset(text, '7', 64);
	a = read_quantity(text);
	text[63] = '8';
	b = read_quantity(text);
	CU_ASSERT_EQUAL(limen_quantity_compare(&a, &b), -1);
	CU_ASSERT_EQUAL(limen_quantity_compare(&b, &a), 1);
	CU_ASSERT_EQUAL(limen_quantity_compare(&b, &b), 0);
	limen_quantity_clear(&a);
	limen_quantity_clear(&b);
}

static void
test_random(void)
{
	int wrong = 0;

	for (int i = 0; i < 20000; i++) {
		char texts[2][CASE_TEXT];
		limen_quantity quantities[2];
		row rows[2];

		for (int side = 0; side < 2; side++) {
			draw_text(texts[side], i % 2 == 0 ? 4 : 32);
			quantities[side] = read_quantity(texts[side]);
			rows[side] = row_read(texts[side]);
		}
		wrong += limen_quantity_compare(&quantities[0], &quantities[1]) !=
			 row_compare(&rows[0], &rows[1]);
		wrong += limen_quantity_compare(&quantities[1], &quantities[0]) !=
			 row_compare(&rows[1], &rows[0]);
		limen_quantity_clear(&quantities[0]);
		limen_quantity_clear(&quantities[1]);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the order of quantities, each with each", test_order },
		{ "equal values in different forms", test_equal },
		{ "64 digits", test_many_digits },
		{ "random pairs against rows of digits", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_compare", tests);
}
