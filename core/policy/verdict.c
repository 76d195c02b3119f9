/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.c - decides what the verdict of a module means.  It owns all rules about errors,
 * skipping, inverting, "require", "stop-on-failure", "enforce" and "failurePolicy".
 *
 *	                  pass          fail          skip           error
 *	identifier        identified    not           not            unknown
 *	  inverted        not           identified    not            unknown
 *	limit             met           not met       met            unknown
 *	  inverted        not met       met           met            unknown
 *	rewriter          changes made  403           no changes     500
 *	prioritizer       priority set  500           500            500
 *	admission         next entry    refused       next entry     500
 *	  Ignore          next entry    refused       next entry     reported, next
 *	  warn, audit     next entry    reported,     next entry     reported, next
 *	                                next
 *
 * An error is unknown, and unknown is never inverted.  "fail-result" and "fail-state" are no errors:
 * a module that has one answers with it, as a pass or a fail, and inverts as such.
 *
 * A classifier is made of identifiers, and a group of limits, by "require":
 *
 *	none   no if one holds, else unknown if one is unknown, else yes
 *	one    no if two hold, else unknown if one is unknown, else whether one holds
 *	any    yes if one holds, else unknown if one is unknown, else no
 *	all    no if one does not hold, else unknown if one is unknown, else yes
 *
 * An application is met if all of its groups are; "invert" turns met and not met around.
 *
 *	                  met      not met          unknown
 *	classifier met    admits   next             next
 *	  stop            admits   refused          refused
 *	classifier not    not evaluated, next
 *	unknown           not evaluated, next
 *	  stop            next     refused          refused
 *
 * A refusal has code 500 if the request might not have been refused without the errors.  Else it
 * has code 429 if, in an application whose classifier is met, the group that was not met would have
 * been met with its rates taken as passed, and 403 otherwise.  A rate is a limit that counts.
 */
#include "verdict.h"

const char *const require_words[] = { "none", "one", "any", "all", NULL };

void
tally_add(tally *count, outcome result)
{
	switch (result) {
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

bool
require_misses(require wanted, const tally *count, outcome result)
{
	switch (wanted) {
	case REQUIRE_NONE:
		return result == OUTCOME_UNKNOWN;
	case REQUIRE_ONE:
		return result == OUTCOME_UNKNOWN || (result == OUTCOME_NO && count->yes == 0);
	default:
		return result != OUTCOME_YES;
	}
}

outcome
outcome_invert(outcome result, bool invert)
{
	if (!invert || result == OUTCOME_UNKNOWN)
		return result;
	return result == OUTCOME_YES ? OUTCOME_NO : OUTCOME_YES;
}

outcome
outcome_both(outcome a, outcome b)
{
	if (a == OUTCOME_NO || b == OUTCOME_NO)
		return OUTCOME_NO;
	return a == OUTCOME_UNKNOWN || b == OUTCOME_UNKNOWN ? OUTCOME_UNKNOWN : OUTCOME_YES;
}

outcome
verdict_outcome(limen_kind kind, limen_verdict verdict, bool invert)
{
	switch (verdict) {
	case LIMEN_PASS:
		return outcome_invert(OUTCOME_YES, invert);
	case LIMEN_FAIL:
		return outcome_invert(OUTCOME_NO, invert);
	case LIMEN_SKIP:
		return kind == LIMEN_KIND_IDENTIFIER ? OUTCOME_NO : OUTCOME_YES;
	default:
		return OUTCOME_UNKNOWN;
	}
}

limen_verdict
outcome_verdict(outcome result)
{
	if (result == OUTCOME_UNKNOWN)
		return LIMEN_ERROR;
	return result == OUTCOME_YES ? LIMEN_PASS : LIMEN_FAIL;
}

int
verdict_code(bool uncertain, bool limited)
{
	return uncertain ? 500 : limited ? 429 : 403;
}

bool
application_is_asked(const application *target, outcome member)
{
	return member == OUTCOME_YES || (member == OUTCOME_UNKNOWN && target->stop_on_failure);
}

effect
application_effect(const application *target, outcome member, outcome met)
{
	if (met == OUTCOME_YES)
		return member == OUTCOME_YES ? EFFECT_ADMIT : EFFECT_NEXT;
	return target->stop_on_failure ? EFFECT_STOP : EFFECT_NEXT;
}

effect
admission_effect(enforce enforced, bool ignore_errors, limen_verdict verdict)
{
	if (verdict == LIMEN_PASS || verdict == LIMEN_SKIP)
		return EFFECT_NEXT;
	if (enforced != ENFORCE_DENY || (verdict != LIMEN_FAIL && ignore_errors))
		return EFFECT_OBSERVE;
	return EFFECT_STOP;
}
