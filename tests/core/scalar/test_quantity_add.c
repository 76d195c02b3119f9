/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

enum {
	SI = LIMEN_QUANTITY_DECIMAL_SI,
	BIN = LIMEN_QUANTITY_BINARY_SI,
	EXP = LIMEN_QUANTITY_EXPONENT,
	NINES = 64
};

static void
test_results(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *sum;
		const char *difference;
		int family;
	} cases[] = {
		{ "0", "1Gi", "1Gi", "-1Gi", BIN },
		{ "1Gi", "500M", "1573741824", "573741824", BIN },
		{ "500M", "1Gi", "1573741824", "-573741824", SI },
		{ "0Ki", "5e3", "5e3", "-5e3", EXP },
		{ "0", "0Ki", "0", "0", BIN },
		{ "1Ki", "0", "1Ki", "1Ki", BIN },
		{ "1", "1", "2", "0", SI },
		{ "-1", "-1", "-2", "0", SI },
		{ "1", "-1", "0", "2", SI },
		{ "100m", "900m", "1", "-800m", SI },
		{ "1Ki", "1", "1025", "1023", BIN },
		{ "1Ki", "1m", "1024001m", "1023999m", BIN },
		{ "1e3", "1", "1001", "999", EXP },
		{ "999", "1", "1k", "998", SI },
		{ "999999999999999999999999999999999999999", "1", "1e39",
		  "999999999999999999999999999999999999998", SI },
		{ "99999999999999999999999999999999999999", "1", "100e36",
		  "99999999999999999999999999999999999998", SI },
		{ "60000000000000000000000000000000000001",
		  "60000000000000000000000000000000000001",
		  "120000000000000000000000000000000000002", "0", SI },
		{ "18446744073709551615", "1", "18446744073709551616", "18446744073709551614", SI },
		{ "18446744073709551614", "1", "18446744073709551615", "18446744073709551613", SI },
		{ "18446744073709551606", "10", "18446744073709551616", "18446744073709551596", SI },
		{ "1844674407370955161", "400m", "1844674407370955161400m",
		  "1844674407370955160600m", SI },
		{ "1844674407370955162e1", "5", "18446744073709551625", "18446744073709551615",
		  EXP },
		{ "2e19", "1", "20000000000000000001", "19999999999999999999", EXP },
		{ "-9223372036854775808", "-9223372036854775808", "-18446744073709551616", "0",
		  SI },
		{ "18446744073709551615e19", "18446744073709551615",
		  "184467440737095516168446744073709551615",
		  "184467440737095516131553255926290448385", EXP },
		{ "1e30", "1n", "1000000000000000000000000000000000000001e-9",
		  "999999999999999999999999999999999999999e-9", EXP },
		{ "100000000000000000000000000000000000000000001", "-1", "100e42",
		  "100000000000000000000000000000000000000000002", SI },
		{ "100000000000000000000000000000000000000000001", "100e42",
		  "200000000000000000000000000000000000000000001", "1", SI },
		/* Sums may exceed what a binary text can say. */
		{ "8Ei", "8Ei", "18446744073709551614", "0", BIN },
		{ "4Ei", "4Ei", "8Ei", "0", BIN },
		/* Exponents that no machine word holds, but close to each other. */
		{ "1e2147483647", "1e2147483646", "11e2147483646", "9e2147483646", EXP },
		{ "1e2147483647", "-1e2147483647", "0", "20e2147483646", EXP },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity b = read_quantity(cases[i].b);
		limen_quantity sum = read_quantity(cases[i].a);
		limen_quantity difference = read_quantity(cases[i].a);

		CU_ASSERT_EQUAL(limen_quantity_add(&sum, &b), LIMEN_OK);
		CU_ASSERT(quantity_prints(&sum, cases[i].sum));
		CU_ASSERT_EQUAL((int)limen_quantity_get_family(&sum), cases[i].family);
		CU_ASSERT_EQUAL(limen_quantity_subtract(&difference, &b), LIMEN_OK);
		CU_ASSERT(quantity_prints(&difference, cases[i].difference));
		CU_ASSERT_EQUAL((int)limen_quantity_get_family(&difference), cases[i].family);
		limen_quantity_clear(&b);
		limen_quantity_clear(&sum);
		limen_quantity_clear(&difference);
	}
}

/* Both operands may be one quantity. */
static void
test_itself(void)
{
	static const char *const texts[][2] = {
		{ "0", "0" },
		{ "1500m", "3" },
		{ "1Gi", "2Gi" },
		{ "-500000000000000000000000000000000000000000000000001",
		  "-1000000000000000000000000000000000000000000000000002" },
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		limen_quantity quantity = read_quantity(texts[i][0]);

		CU_ASSERT_EQUAL(limen_quantity_add(&quantity, &quantity), LIMEN_OK);
		CU_ASSERT(quantity_prints(&quantity, texts[i][1]));
		CU_ASSERT_EQUAL(limen_quantity_subtract(&quantity, &quantity), LIMEN_OK);
		CU_ASSERT(quantity_prints(&quantity, "0"));
		CU_ASSERT_EQUAL(limen_quantity_sign(&quantity), 0);
		limen_quantity_clear(&quantity);
	}
}

/* A result has at most 128 digits, however many places its operands are apart. */
static void
test_far_apart(void)
{
	static const struct {
		const char *a;
		const char *b;
		int sum;
		int difference;
	} cases[] = {
		{ "1e127", "1", LIMEN_OK, LIMEN_OK },
		{ "1e128", "1", LIMEN_ERANGE, LIMEN_OK }, /* 128 nines */
		{ "1", "1e128", LIMEN_ERANGE, LIMEN_OK },
		{ "1e129", "1", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "1", "1e129", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "9e127", "1e127", LIMEN_OK, LIMEN_OK },
		{ "10000000001e117", "1", LIMEN_OK, LIMEN_OK },
		{ "10000000001e118", "1", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "1e118", "1n", LIMEN_OK, LIMEN_OK },
		{ "1e119", "-1n", LIMEN_OK, LIMEN_ERANGE },
		{ "1e120", "-1n", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "1e2147483647", "1n", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "-1e2147483647", "1", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "1Gi", "1e2147483647", LIMEN_ERANGE, LIMEN_ERANGE },
		{ "0Gi", "1e2147483647", LIMEN_OK, LIMEN_OK },
		{ "1e2147483647", "0n", LIMEN_OK, LIMEN_OK },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity a = read_quantity(cases[i].a);
		limen_quantity b = read_quantity(cases[i].b);
		limen_quantity c = read_quantity(cases[i].a);
		limen_quantity before = read_quantity(cases[i].a);

		CU_ASSERT_EQUAL(limen_quantity_add(&a, &b), cases[i].sum);
		if (cases[i].sum != LIMEN_OK)
			CU_ASSERT_EQUAL(limen_quantity_compare(&a, &before), 0);
		CU_ASSERT_EQUAL(limen_quantity_subtract(&c, &b), cases[i].difference);
		if (cases[i].difference != LIMEN_OK)
			CU_ASSERT_EQUAL(limen_quantity_compare(&c, &before), 0);
		limen_quantity_clear(&a);
		limen_quantity_clear(&b);
		limen_quantity_clear(&c);
		limen_quantity_clear(&before);
	}
}

/* A carry into the 129th digit is refused; one that leaves a power of ten is not. */
static void
test_carry(void)
{
	char nines[NINES + 1];
	limen_quantity high, low, one = read_quantity("1"), two = read_quantity("2");

	memset(nines, '9', NINES);
	nines[NINES] = '\0';
	low = read_quantity(nines);
	/* 60 nines and 64 zeros, to which 64 nines are added. */
	memcpy(nines + NINES - 4, "e64", 4);
	high = read_quantity(nines);
	CU_ASSERT_EQUAL(limen_quantity_add(&high, &low), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_size(&high), 124);
	limen_quantity_clear(&low);
	low = read_quantity("9999e124");
	CU_ASSERT_EQUAL(limen_quantity_add(&high, &low), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_size(&high), 128);
	CU_ASSERT_EQUAL(limen_quantity_add(&high, &two), LIMEN_ERANGE);
	CU_ASSERT_EQUAL(limen_quantity_size(&high), 128);
	CU_ASSERT_EQUAL(limen_quantity_add(&high, &one), LIMEN_OK);
	CU_ASSERT(quantity_prints(&high, "100e126"));
	CU_ASSERT_EQUAL(limen_quantity_subtract(&high, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_size(&high), 128);
	limen_quantity_clear(&high);
	limen_quantity_clear(&low);
}

/* A remembered text does not outlive a computation, even one that changes nothing. */
static void
test_kept(void)
{
	limen_quantity zero = read_quantity("0");
	limen_quantity quantity;

	CU_ASSERT_EQUAL_FATAL(limen_quantity_parse("+1", 2, LIMEN_QUANTITY_KEEP, &quantity, NULL),
	                      LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "+1"));
	CU_ASSERT_EQUAL(limen_quantity_add(&zero, &quantity), LIMEN_OK);
	CU_ASSERT(quantity_prints(&zero, "1"));
	limen_quantity_clear(&zero);
	CU_ASSERT_EQUAL(limen_quantity_add(&quantity, &zero), LIMEN_OK);
	CU_ASSERT(quantity_prints(&quantity, "1"));
}

/* Computes a + b in rows. */
static row
add_rows(const row *a, const row *b)
{
	row sum = *a;

	if (a->negative == b->negative) {
		row_add(&sum, b);
	} else if (row_order(a, b) >= 0) {
		row_subtract(&sum, b);
	} else {
		sum = *b;
		row_subtract(&sum, a);
	}
	return sum;
}

static bool
is_sum_right(const char *first, const char *second)
{
	limen_quantity a = read_quantity(first);
	limen_quantity b = read_quantity(second);
	limen_quantity original = read_quantity(first);
	row left = row_read(first);
	row right = row_read(second);
	row expected = add_rows(&left, &right);
	limen_quantity copy;
	char *printed;
	row got;
	bool good;

	if (limen_quantity_add(&a, &b) != LIMEN_OK || limen_quantity_copy(&a, &copy) != LIMEN_OK)
		return false;
	/* Without its family, so that no binary unit ends the number at 2^63-1. */
	copy.family = LIMEN_QUANTITY_EXPONENT;
	printed = limen_quantity_to_text(&copy);
	if (printed == NULL)
		return false;
	got = row_read(printed);
	good = row_compare(&got, &expected) == 0;
	good = limen_quantity_subtract(&a, &b) == LIMEN_OK && good;
	good = limen_quantity_compare(&a, &original) == 0 && good;
	free(printed);
	limen_quantity_clear(&a);
	limen_quantity_clear(&b);
	limen_quantity_clear(&copy);
	limen_quantity_clear(&original);
	return good;
}

static void
test_random(void)
{
	int wrong = 0;

	for (int i = 0; i < 20000; i++) {
		char a[CASE_TEXT];
		char b[CASE_TEXT];

		draw_text(a, i % 3 == 0 ? 6 : 32);
		draw_text(b, i % 2 == 0 ? 6 : 32);
		if (!is_sum_right(a, b)) {
			printf("# %s, %s\n", a, b);
			wrong++;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "sums and differences", test_results },
		{ "a quantity with itself", test_itself },
		{ "operands that are far apart", test_far_apart },
		{ "128 digits and a carry", test_carry },
		{ "computing forgets the written form", test_kept },
		{ "random sums against rows of digits, and back", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_add", tests);
}
