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

static void
test_modules(void)
{
	static const struct {
		limen_verdict verdict;
		outcome identified, inverted, limit, limit_inverted;
		effect denies, ignores, warns; /* of an admission entry */
	} rows[] = {
		{ LIMEN_PASS, OUTCOME_YES, OUTCOME_NO, OUTCOME_YES, OUTCOME_NO, EFFECT_NEXT,
		  EFFECT_NEXT, EFFECT_NEXT },
		{ LIMEN_FAIL, OUTCOME_NO, OUTCOME_YES, OUTCOME_NO, OUTCOME_YES, EFFECT_STOP,
		  EFFECT_STOP, EFFECT_OBSERVE },
		{ LIMEN_SKIP, OUTCOME_NO, OUTCOME_NO, OUTCOME_YES, OUTCOME_YES, EFFECT_NEXT,
		  EFFECT_NEXT, EFFECT_NEXT },
		{ LIMEN_ERROR, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN,
		  EFFECT_STOP, EFFECT_OBSERVE, EFFECT_OBSERVE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		limen_verdict verdict = rows[i].verdict;

		CU_ASSERT_EQUAL(verdict_outcome(LIMEN_KIND_IDENTIFIER, verdict, false),
		                rows[i].identified);
		CU_ASSERT_EQUAL(verdict_outcome(LIMEN_KIND_IDENTIFIER, verdict, true),
		                rows[i].inverted);
		CU_ASSERT_EQUAL(verdict_outcome(LIMEN_KIND_LIMIT, verdict, false), rows[i].limit);
		CU_ASSERT_EQUAL(verdict_outcome(LIMEN_KIND_LIMIT, verdict, true),
		                rows[i].limit_inverted);
		CU_ASSERT_EQUAL(admission_effect(ENFORCE_DENY, false, verdict), rows[i].denies);
		CU_ASSERT_EQUAL(admission_effect(ENFORCE_DENY, true, verdict), rows[i].ignores);
		CU_ASSERT_EQUAL(admission_effect(ENFORCE_WARN, false, verdict), rows[i].warns);
		CU_ASSERT_EQUAL(admission_effect(ENFORCE_AUDIT, true, verdict), rows[i].warns);
	}
}

static void
test_applications(void)
{
	static const outcome members[] = { OUTCOME_YES, OUTCOME_NO, OUTCOME_UNKNOWN };
	static const bool asked[2][3] = { { true, false, false }, { true, false, true } };

	for (int stop = 0; stop < 2; stop++) {
		const application one = { .stop_on_failure = stop == 1 };

		for (int i = 0; i < 3; i++) {
			effect failed = stop == 1 ? EFFECT_STOP : EFFECT_NEXT;

			CU_ASSERT_EQUAL(application_is_asked(&one, members[i]), asked[stop][i]);
			CU_ASSERT_EQUAL(application_effect(&one, members[i], OUTCOME_YES),
			                i == 0 ? EFFECT_ADMIT : EFFECT_NEXT);
			CU_ASSERT_EQUAL(application_effect(&one, members[i], OUTCOME_NO), failed);
			CU_ASSERT_EQUAL(application_effect(&one, members[i], OUTCOME_UNKNOWN),
			                failed);
		}
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "each word over counts on both sides of its bound", test_table },
		{ "what is said despite unknown members holds however they turn out",
		  test_unknown_is_sound },
		{ "yes and no trade places, unknown stays", test_invert },
		{ "each verdict of each module has one outcome, and an error is not inverted",
		  test_modules },
		{ "an application admits only who is certainly of its classifier", test_applications },
		{ NULL, NULL },
	};

	return suite_run("core/verdict", tests);
}
