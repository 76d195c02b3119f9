/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verdict.h"

#include "suite.h"

typedef struct require_case {
	require wanted;
	tally count; /* yes, no, unknown */
	outcome expected;
} require_case;

static const require_case cases[] = {
	/* pScheduler: none p==0, one p==1, any p>0, all f==0; an empty list meets none and all. */
	{ REQUIRE_NONE, { 0, 0, 0 }, OUTCOME_YES },
	{ REQUIRE_NONE, { 0, 3, 0 }, OUTCOME_YES },
	{ REQUIRE_NONE, { 1, 2, 0 }, OUTCOME_NO },
	{ REQUIRE_ONE, { 0, 0, 0 }, OUTCOME_NO },
	{ REQUIRE_ONE, { 0, 2, 0 }, OUTCOME_NO },
	{ REQUIRE_ONE, { 1, 2, 0 }, OUTCOME_YES },
	{ REQUIRE_ONE, { 2, 0, 0 }, OUTCOME_NO },
	{ REQUIRE_ANY, { 0, 0, 0 }, OUTCOME_NO },
	{ REQUIRE_ANY, { 0, 1, 0 }, OUTCOME_NO },
	{ REQUIRE_ANY, { 1, 1, 0 }, OUTCOME_YES },
	{ REQUIRE_ANY, { 3, 0, 0 }, OUTCOME_YES },
	{ REQUIRE_ALL, { 0, 0, 0 }, OUTCOME_YES },
	{ REQUIRE_ALL, { 2, 0, 0 }, OUTCOME_YES },
	{ REQUIRE_ALL, { 2, 1, 0 }, OUTCOME_NO },
	/* One that cannot tell never helps, and hides only what it could change. */
	{ REQUIRE_NONE, { 0, 0, 1 }, OUTCOME_UNKNOWN },
	{ REQUIRE_NONE, { 1, 0, 1 }, OUTCOME_NO },
	{ REQUIRE_ONE, { 1, 0, 1 }, OUTCOME_UNKNOWN },
	{ REQUIRE_ONE, { 0, 1, 1 }, OUTCOME_UNKNOWN },
	{ REQUIRE_ONE, { 2, 0, 1 }, OUTCOME_NO },
	{ REQUIRE_ANY, { 0, 1, 1 }, OUTCOME_UNKNOWN },
	{ REQUIRE_ANY, { 1, 0, 1 }, OUTCOME_YES },
	{ REQUIRE_ALL, { 1, 0, 1 }, OUTCOME_UNKNOWN },
	{ REQUIRE_ALL, { 1, 1, 1 }, OUTCOME_NO },
	/* Out of range: nothing is promised. */
	{ (require)7, { 1, 0, 0 }, OUTCOME_UNKNOWN },
};

static void
test_table(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_EQUAL(require_outcome(cases[i].wanted, &cases[i].count),
		                cases[i].expected);
}

/* What the outcome is if the unknown members are told by the bits of 'told'. */
static outcome
resolved(const require_case *one, unsigned told)
{
	tally count = { one->count.yes, one->count.no, 0 };

	for (size_t i = 0; i < one->count.unknown; i++)
		tally_add(&count, told & (1U << i) ? OUTCOME_YES : OUTCOME_NO);
	return require_outcome(one->wanted, &count);
}

/* A definite outcome must be the one of every way in which the unknown could be told. */
static void
test_unknown_is_sound(void)
{
	for (int wanted = REQUIRE_NONE; wanted <= REQUIRE_ALL; wanted++) {
		for (unsigned n = 0; n < 64; n++) {
			require_case one = { (require)wanted, { n & 3, n >> 2 & 3, n >> 4 }, 0 };
			outcome said = require_outcome(one.wanted, &one.count);

			for (unsigned told = 0; told < 1U << one.count.unknown; told++) {
				if (said != OUTCOME_UNKNOWN)
					CU_ASSERT_EQUAL(resolved(&one, told), said);
			}
		}
	}
}

static void
test_invert(void)
{
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_YES, true), OUTCOME_NO);
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_NO, true), OUTCOME_YES);
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_YES, false), OUTCOME_YES);
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_NO, false), OUTCOME_NO);
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_UNKNOWN, true), OUTCOME_UNKNOWN);
	CU_ASSERT_EQUAL(outcome_invert(OUTCOME_UNKNOWN, false), OUTCOME_UNKNOWN);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "each word over counts on both sides of its bound", test_table },
		{ "what is said despite unknown members holds however they turn out",
		  test_unknown_is_sound },
		{ "yes and no trade places, unknown stays", test_invert },
		{ NULL, NULL },
	};

	return suite_run("core/require", tests);
}
