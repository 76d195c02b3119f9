/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - what the verdict of a module means for the request: verdict.c has the table.
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

void tally_add(tally *count, outcome result);
outcome require_outcome(require wanted, const tally *count);

/* Would a group of this count be met if one of its limits, of outcome 'result', had passed? */
bool require_misses(require wanted, const tally *count, outcome result);

/* Unknown stays unknown: an error is never inverted. */
outcome outcome_invert(outcome result, bool invert);

/* Do both hold? */
outcome outcome_both(outcome a, outcome b);

/* Returns the outcome of a module of 'kind' whose entry may be inverted. */
outcome verdict_outcome(limen_kind kind, limen_verdict verdict, bool invert);

/* Returns the verdict that a trace shows for 'result'. */
limen_verdict outcome_verdict(outcome result);

/*
 * Returns the code of a refusal; 'uncertain': without an error it could have been admitted,
 * 'limited': only rates refused it.
 */
int verdict_code(bool uncertain, bool limited);

/* The effect of one entry of a list: go on to the next one, end the list, or admit. */
typedef enum effect {
	EFFECT_NEXT,
	EFFECT_ADMIT,
	EFFECT_STOP,
	EFFECT_OBSERVE /* admission: the finding is reported, and the next entry is next */
} effect;

/* Is an application evaluated for a requester who is, or may be, of its classifier? */
bool application_is_asked(const application *target, outcome member);

/* The effect of an application that was evaluated, with the outcome 'met' of its groups. */
effect application_effect(const application *target, outcome member, outcome met);

/* The effect of what the module of an admission entry has returned. */
effect admission_effect(enforce enforced, bool ignore_errors, limen_verdict verdict);

#endif
