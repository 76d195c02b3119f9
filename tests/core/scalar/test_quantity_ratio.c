/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

static void
check(const char *a, const char *b, const char *expected)
{
	limen_quantity first = read_quantity(a);
	limen_quantity second = read_quantity(b);
	char text[LIMEN_QUANTITY_RATIO_MAX] = "";

	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&first, &second, text), LIMEN_OK);
	if (strcmp(text, expected) != 0)
		printf("# %.60s / %.60s: %s, not %s\n", a, b, text, expected);
	CU_ASSERT_STRING_EQUAL(text, expected);
	limen_quantity_clear(&first);
	limen_quantity_clear(&second);
}

static void
test_results(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *text;
	} cases[] = {
		{ "0", "1", "0.000000" },
		{ "0", "-1e2147483647", "0.000000" },
		{ "1", "1", "1.000000" },
		{ "2007m", "1", "2.007000" },
		{ "1500m", "200m", "7.500000" },
		{ "2Gi", "512Mi", "4.000000" },
		{ "1Gi", "1G", "1.073742" },
		{ "1", "3", "0.333333" },
		{ "2", "3", "0.666667" },
		{ "1n", "1", "0.000000" },
		{ "999999", "1", "999999.000000" },
		{ "9999999999", "10000", "999999.999900" },
		{ "9999999999999", "10000000", "1000000.000000" },
		{ "99999999999999999", "100000000000", "1000000.000000" },
		/* Halves go to the even digit. */
		{ "5", "10000000", "0.000000" },
		{ "5000000001n", "10000000", "0.000001" },
		{ "4999999999n", "10000000", "0.000000" },
		{ "15", "10000000", "0.000002" },
		{ "25", "10000000", "0.000002" },
		{ "25.000000001", "10000000", "0.000003" },
		{ "1.0000005", "1", "1.000000" },
		{ "1.0000015", "1", "1.000002" },
		{ "9.9999995", "1", "10.000000" },
		/* The sign is that of the quotient, and rounds away with it. */
		{ "-3", "2", "-1.500000" },
		{ "3", "-2", "-1.500000" },
		{ "-3", "-2", "1.500000" },
		{ "-1n", "1", "0.000000" },
		/* Powers of ten up to 40 have no exponent. */
		{ "1e40", "1", "10000000000000000000000000000000000000000.000000" },
		{ "1e41", "3", "33333333333333333333333333333333333333333.333333" },
		{ "9.9e40", "1", "99000000000000000000000000000000000000000.000000" },
		{ "1e41", "1", "1.000000e41" },
		{ "-2e41", "3", "-66666666666666666666666666666666666666666.666667" },
		{ "2e42", "3", "6.666667e41" },
		{ "9999999999e41", "1", "1.000000e51" },
		{ "1", "1e40", "0.000000" },
		{ "1", "1e41", "1.000000e-41" },
		{ "-1", "3e45", "-3.333333e-46" },
		{ "1e2147483647", "1n", "1.000000e2147483656" },
		{ "1n", "1e2147483647", "1.000000e-2147483656" },
		{ "1e2147483647", "7e2147483640", "1428571.428571" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i].a, cases[i].b, cases[i].text);
}

static void
test_zero(void)
{
	limen_quantity one = read_quantity("1");
	limen_quantity zero = read_quantity("0");
	char text[LIMEN_QUANTITY_RATIO_MAX] = "untouched";

	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&one, &zero, text), LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&zero, &zero, text), LIMEN_EINVAL);
	CU_ASSERT_STRING_EQUAL(text, "untouched");
}

static void
test_many_digits(void)
{
	char a[65] = "";
	char b[65] = "";
	limen_quantity wide, small;
	char text[LIMEN_QUANTITY_RATIO_MAX];

	memset(a, '9', 64);
	memset(b, '3', 64);
	check(a, b, "3.000000");
	check(b, a, "0.333333");
	check(a, "9", "1.111111e63");
	check("9", a, "9.000000e-64");
	wide = read_quantity(b);
	small = read_quantity("1e127");
	CU_ASSERT_EQUAL(limen_quantity_add(&wide, &small), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_size(&wide), 128);
	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&wide, &wide, text), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(text, "1.000000");
	/* 128 digits, of which the last is what makes the half more than that. */
	limen_quantity_clear(&small);
	limen_quantity_clear(&wide);
	small = read_quantity("20000000e120");
	wide = read_quantity("1");
	CU_ASSERT_EQUAL(limen_quantity_add(&wide, &small), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_size(&wide), 128);
	limen_quantity_clear(&small);
	small = read_quantity("40000000000000e120");
	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&wide, &small, text), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(text, "0.000001");
	CU_ASSERT_EQUAL(limen_quantity_print_ratio(&small, &wide, text), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(text, "2000000.000000");
	limen_quantity_clear(&small);
	limen_quantity_clear(&wide);
	a[44] = '\0';
	check(b, a, "33333333333333333333.333333");
}

/* Writes digit 'index' of a quotient and what is left of the dividend. */
static char
divide_digit(row *left, const row *by)
{
	char digit = '0';

	while (row_order(left, by) >= 0) {
		row_subtract(left, by);
		digit++;
	}
	return digit;
}

static void
shift_in(row *left, signed char digit)
{
	memmove(left->digits, left->digits + 1, ROW - 1);
	left->digits[ROW - 1] = digit;
}

/* Divides as one does on paper; 'out' is the quotient with six decimals. */
static void
divide_rows(const row *a, const row *b, char out[LIMEN_QUANTITY_RATIO_MAX])
{
	char digits[ROW + 7];
	row left = { .digits = { 0 } };
	row twice;
	int first = 0;
	int half;

	for (int i = 0; i < ROW + 6; i++) {
		shift_in(&left, i < ROW ? a->digits[i] : 0);
		digits[i] = divide_digit(&left, b);
	}
	twice = left;
	row_add(&twice, &left);
	half = row_order(&twice, b);
	if (half > 0 || (half == 0 && digits[ROW + 5] % 2 == 1)) {
		int i = ROW + 5;

		for (; digits[i] == '9'; i--)
			digits[i] = '0';
		digits[i]++;
	}
	while (first < ROW - 1 && digits[first] == '0')
		first++;
	snprintf(out, LIMEN_QUANTITY_RATIO_MAX, "%.*s.%.6s", ROW - first, digits + first,
	         digits + ROW);
}

static void
test_random(void)
{
	for (int i = 0; i < 3000; i++) {
		char texts[2][CASE_TEXT];
		char expected[LIMEN_QUANTITY_RATIO_MAX];
		row a;
		row b;

		draw_text(texts[0], i % 2 == 0 ? 5 : 30);
		draw_text(texts[1], i % 3 == 0 ? 5 : 30);
		/* Without signs, and without quotients that need an exponent. */
		a = row_read(texts[0] + (*texts[0] == '-'));
		b = row_read(texts[1] + (*texts[1] == '-'));
		if (row_is_zero(&b))
			continue;
		divide_rows(&a, &b, expected);
		if (strlen(expected) > 40 || (strcmp(expected, "0.000000") == 0))
			continue;
		check(texts[0] + (*texts[0] == '-'), texts[1] + (*texts[1] == '-'), expected);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "quotients with six decimals", test_results },
		{ "zero divides nothing", test_zero },
		{ "64 and 128 digits", test_many_digits },
		{ "random quotients against division on paper", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_ratio", tests);
}
