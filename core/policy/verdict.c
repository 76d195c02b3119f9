/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.c - counts outcomes and decides whether "none", "one", "any" or "all" is met, by
 * Kleene's three-valued logic.
 */
#include "verdict.h"

const char *const require_words[] = { "none", "one", "any", "all", NULL };

void
tally_add(tally *count, outcome what)
{
	switch (what) {
	case OUTCOME_YES:
		count->yes++;
		break;
	case OUTCOME_NO:
		count->no++;
		break;
	default:
		count->unknown++;
	}
}

/* Returns 'certain', or unknown if an unknown member could change it. */
static outcome
unless_unknown(const tally *count, outcome certain)
{
	return count->unknown > 0 ? OUTCOME_UNKNOWN : certain;
}

outcome
require_outcome(require wanted, const tally *count)
{
	switch (wanted) {
	case REQUIRE_NONE:
		return count->yes > 0 ? OUTCOME_NO : unless_unknown(count, OUTCOME_YES);
	case REQUIRE_ONE:
		if (count->yes > 1)
			return OUTCOME_NO;
		return unless_unknown(count, count->yes == 1 ? OUTCOME_YES : OUTCOME_NO);
	case REQUIRE_ANY:
		return count->yes > 0 ? OUTCOME_YES : unless_unknown(count, OUTCOME_NO);
	case REQUIRE_ALL:
		return count->no > 0 ? OUTCOME_NO : unless_unknown(count, OUTCOME_YES);
	default:
		return OUTCOME_UNKNOWN;
	}
}

outcome
outcome_invert(outcome what, bool invert)
{
	if (!invert || what == OUTCOME_UNKNOWN)
		return what;
	return what == OUTCOME_YES ? OUTCOME_NO : OUTCOME_YES;
}
