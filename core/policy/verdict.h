/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - evaluates "require" (none, one, any, all) when some members are unknown.
 *
 * It uses the three values of Kleene's logic.  A "none" or "one" with a failed member is
 * unknown rather than met, because that member could have exceeded the allowed number.
 */
#ifndef LIMEN_CORE_POLICY_VERDICT_H
#define LIMEN_CORE_POLICY_VERDICT_H

#include "compiled.h"

/* The words of a policy, in the order of enum require, ended by NULL. */
extern const char *const require_words[];

typedef enum outcome {
	OUTCOME_UNKNOWN = 0,
	OUTCOME_YES = 1,
	OUTCOME_NO = 2
} outcome;

typedef struct tally {
	size_t yes;
	size_t no;
	size_t unknown;
} tally;

void tally_add(tally *count, outcome what);
outcome require_outcome(require wanted, const tally *count);

/* Unknown stays unknown: an error is never inverted. */
outcome outcome_invert(outcome what, bool invert);

#endif
