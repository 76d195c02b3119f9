/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

enum {
	DIGITS = 64
};

static int
compare(const char *a, const char *b, const char *c, int *order)
{
	limen_quantity first = read_quantity(a);
	limen_quantity second = read_quantity(b);
	limen_quantity third = read_quantity(c);
	int result = limen_quantity_compare_product(&first, &second, &third, order);

	limen_quantity_clear(&first);
	limen_quantity_clear(&second);
	limen_quantity_clear(&third);
	return result;
}

static void
test_results(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *c;
		int order;
	} cases[] = {
		{ "0", "0", "0", 0 },
		{ "0", "0", "1e2147483647", 0 },
		{ "1n", "0", "1e2147483647", 1 },
		{ "0", "1n", "1n", -1 },
		{ "6", "2", "3", 0 },
		{ "7", "2", "3", 1 },
		{ "5", "2", "3", -1 },
		/* Floating point refuses this one (a known fault of Kubernetes). */
		{ "2007m", "1", "2.007", 0 },
		{ "2008m", "1", "2.007", 1 },
		{ "2007000001n", "1", "2.007", 1 },
		{ "2006999999n", "1", "2.007", -1 },
		{ "1", "3", "333333333n", 1 },
		{ "1", "3", "333333334n", -1 },
		{ "2Gi", "1Gi", "2", 0 },
		{ "2147483649", "1Gi", "2", 1 },
		{ "1Gi", "500m", "2147483648", 0 },
		/* Magnitudes are compared. */
		{ "-6", "2", "3", 0 },
		{ "6", "-2", "3", 0 },
		{ "1", "-2", "-3", -1 },
		/* Around the width of a machine word and of two. */
		{ "18446744073709551616", "4294967296", "4294967296", 0 },
		{ "18446744073709551617", "4294967296", "4294967296", 1 },
		{ "18446744073709551615", "4294967296", "4294967296", -1 },
		{ "340282366920938463426481119284349108225", "18446744073709551615",
		  "18446744073709551615", 0 },
		{ "340282366920938463426481119284349108224", "18446744073709551615",
		  "18446744073709551615", -1 },
		{ "340282366920938463426481119284349108226", "18446744073709551615",
		  "18446744073709551615", 1 },
		{ "99999999999999999999999999999999999999",
		  "10000000000000000000000000000000000000", "10", -1 },
		/* Digits behind those that are the same. */
		{ "1000000000000000000000000000000000000000000000000.000000001", "1e24", "1e24",
		  1 },
		{ "1e48", "1000000000000000000000000.000000001", "1e24", -1 },
		/* Exponents that only their sum can tell. */
		{ "1e2147483647", "1e1073741824", "1e1073741823", 0 },
		{ "1e2147483647", "1e2147483647", "1", 0 },
		{ "1e2147483647", "1e2147483647", "1n", 1 },
		{ "1n", "1e2147483647", "1e2147483647", -1 },
		{ "1e2147483647", "1n", "1n", 1 },
		{ "10000000001e2147483637", "1e2147483647", "1", 1 },
		{ "9999999999e2147483637", "1e2147483647", "1", -1 },
		{ "25e20", "5", "5e20", 0 },
		{ "25e39", "5e19", "5e20", 0 },
		{ "25e60", "5e40", "5e20", 0 },
		{ "26e60", "5e40", "5e20", 1 },
		{ "5e20", "5", "1e20", 0 },
		{ "5e20", "500e-3", "1e21", 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int order = 4711;

		CU_ASSERT_EQUAL(compare(cases[i].a, cases[i].b, cases[i].c, &order), LIMEN_OK);
		if (order != cases[i].order)
			printf("# %s, %s * %s: %d\n", cases[i].a, cases[i].b, cases[i].c, order);
		CU_ASSERT_EQUAL(order, cases[i].order);
		CU_ASSERT_EQUAL(compare(cases[i].a, cases[i].c, cases[i].b, &order), LIMEN_OK);
		CU_ASSERT_EQUAL(order, cases[i].order);
	}
}

/* A product of 128 digits is computed; of more, only if the places of digits cannot tell. */
static void
test_many_digits(void)
{
	char nines[DIGITS + 1] = "";
	limen_quantity a, b, c;
	int order = 4711;

	memset(nines, '9', DIGITS);
	b = read_quantity(nines);
	/* (10^64 - 1)^2 is 10^128 - 2 * 10^64 + 1. */
	a = read_quantity("1e128");
	c = read_quantity("2e64");
	CU_ASSERT_EQUAL(limen_quantity_subtract(&a, &c), LIMEN_OK);
	limen_quantity_clear(&c);
	c = read_quantity("1");
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&a, &b, &b, &order), LIMEN_OK);
	CU_ASSERT_EQUAL(order, -1);
	CU_ASSERT_EQUAL(limen_quantity_add(&a, &c), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&a, &b, &b, &order), LIMEN_OK);
	CU_ASSERT_EQUAL(order, 0);
	CU_ASSERT_EQUAL(limen_quantity_add(&a, &c), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&a, &b, &b, &order), LIMEN_OK);
	CU_ASSERT_EQUAL(order, 1);
	/* 65 digits by 64. */
	limen_quantity_clear(&c);
	c = read_quantity("2e64");
	CU_ASSERT_EQUAL(limen_quantity_add(&c, &b), LIMEN_OK);
	order = 4711;
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&a, &b, &c, &order), LIMEN_ERANGE);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&a, &c, &b, &order), LIMEN_ERANGE);
	CU_ASSERT_EQUAL(order, 4711);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&b, &c, &b, &order), LIMEN_OK);
	CU_ASSERT_EQUAL(order, -1);
	CU_ASSERT_EQUAL(limen_quantity_compare_product(&c, &b, &b, &order), LIMEN_OK);
	CU_ASSERT_EQUAL(order, -1);
	limen_quantity_clear(&a);
	limen_quantity_clear(&b);
	limen_quantity_clear(&c);
}

/* Multiplies rows; what stands behind the last place is known to be zero. */
static row
multiply_rows(const row *a, const row *b)
{
	int columns[2 * ROW] = { 0 };
	row product = { .negative = false };
	int carry = 0;

	for (int i = 0; i < ROW; i++) {
		for (int j = 0; j < ROW && a->digits[i] != 0; j++)
			columns[i + j + 1] += a->digits[i] * b->digits[j];
	}
	for (int i = 2 * ROW - 1; i >= 0; i--) {
		int place = i - POINT;

		carry += columns[i];
		if (place >= 0 && place < ROW)
			product.digits[place] = (signed char)(carry % 10);
		carry /= 10;
	}
	return product;
}

static bool
is_right(const char *a, const char *b, const char *c)
{
	row left = row_read(a);
	row right[2] = { row_read(b), row_read(c) };
	row product = multiply_rows(&right[0], &right[1]);
	int order;

	if (compare(a, b, c, &order) != LIMEN_OK)
		return false;
	return order == row_order(&left, &product);
}

static void
test_random(void)
{
	int wrong = 0;

	for (int i = 0; i < 3000; i++) {
		char texts[3][CASE_TEXT];

		for (int j = 0; j < 3; j++)
			draw_text(texts[j], i % 2 == 0 ? 5 : 32);
		wrong += !is_right(texts[0], texts[1], texts[2]);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Products that are met exactly, and missed by the least there is. */
static void
test_random_close(void)
{
	int wrong = 0;

	for (int i = 0; i < 3000; i++) {
		unsigned count = 1 + draw_number(i % 2 == 0 ? 8 : 40);
		char a[CASE_TEXT] = "";
		char b[CASE_TEXT];
		char *last = a + count;

		/* a = 77...7, b = 11...1, c = 7 */
		memset(a, '7', count);
		memset(b, '1', count);
		snprintf(last, CASE_TEXT - count, "e%u", draw_number(20));
		snprintf(b + count, CASE_TEXT - count, "%s", last);
		wrong += !is_right(a, b, "7");
		last[-1] = '8';
		wrong += !is_right(a, b, "7");
		last[-1] = '6';
		wrong += !is_right(a, b, "7");
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "limits against requests times ratios", test_results },
		{ "products of 128 digits, and of more", test_many_digits },
		{ "random products against rows of digits", test_random },
		{ "products that are met or nearly so", test_random_close },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_product", tests);
}
