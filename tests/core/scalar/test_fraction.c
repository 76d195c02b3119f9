/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar/fraction.h"

#include <string.h>

#include "suite.h"

static fraction_term
make_term(const char *digits, uint64_t unit)
{
	return (fraction_term){ .digits = digits, .count = strlen(digits), .unit = unit };
}

static void
test_one_term(void)
{
	static const struct {
		const char *digits;
		uint64_t unit;
		uint64_t whole;
		unsigned tenths;
		bool more;
		uint64_t rounded;
	} cases[] = {
		{ "", 1000, 0, 0, false, 0 },
		{ "0", 1000, 0, 0, false, 0 },
		{ "5", 1, 0, 5, false, 0 },
		{ "50", 1, 0, 5, false, 0 },
		{ "500000000000000000000000000001", 1, 0, 5, true, 1 },
		{ "499999999999999999999999999999", 1, 0, 4, true, 0 },
		{ "000000000000000000000000000001", 1, 0, 0, true, 0 },
		{ "5", 3, 1, 5, false, 2 },
		{ "5", 5, 2, 5, false, 2 },
		{ "1", 10, 1, 0, false, 1 },
		{ "125", 8, 1, 0, false, 1 },
		{ "999999", 1000000, 999999, 0, false, 999999 },
		{ "9999995", 1000000, 999999, 5, false, 1000000 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		fraction_term term = make_term(cases[i].digits, cases[i].unit);
		fraction_sum sum = fraction_total(&term, 1);

		CU_ASSERT_EQUAL((uint64_t)sum.whole, cases[i].whole);
		CU_ASSERT_EQUAL(sum.tenths, cases[i].tenths);
		CU_ASSERT_EQUAL(sum.more, cases[i].more);
		CU_ASSERT_EQUAL((uint64_t)fraction_round(sum), cases[i].rounded);
	}
}

/* Rounding each term by itself would lose what only the sum can show. */
static void
test_terms_are_added_before_rounding(void)
{
	fraction_term thirds[] = { make_term("4", 1), make_term("40", 1), make_term("4", 1) };
	fraction_term halves[] = { make_term("25", 1), make_term("00025", 1000) };
	fraction_term one[] = { make_term("999", 1), make_term("001", 1), make_term("", 7) };

	CU_ASSERT_EQUAL((uint64_t)fraction_round(fraction_total(thirds, 3)), 1);
	CU_ASSERT_EQUAL(fraction_total(halves, 2).tenths, 5);
	CU_ASSERT_FALSE(fraction_total(halves, 2).more);
	CU_ASSERT_EQUAL((uint64_t)fraction_total(one, 3).whole, 1);
	CU_ASSERT_EQUAL(fraction_total(one, 3).tenths, 0);
	CU_ASSERT_FALSE(fraction_total(one, 3).more);
	CU_ASSERT_EQUAL((uint64_t)fraction_total(NULL, 0).whole, 0);
}

static void
test_largest_unit(void)
{
	wide unit = ((wide)1 << 124) - 1;
	fraction_term term = { .digits = "9999999999999999999999999999999999999999",
		               .count = 40,
		               .unit = unit };
	fraction_sum sum = fraction_total(&term, 1);

	CU_ASSERT(sum.whole == unit - 1);
	CU_ASSERT(sum.tenths >= 5 && sum.more);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "one fraction of one unit", test_one_term },
		{ "terms are added before rounding", test_terms_are_added_before_rounding },
		{ "the largest unit does not overflow", test_largest_unit },
		{ NULL, NULL },
	};

	return suite_run("core/fraction", tests);
}
