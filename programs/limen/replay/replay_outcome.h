/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_outcome.h - the outcome of a request, and the comparison of two outcomes.
 */
#ifndef LIMEN_PROGRAM_REPLAY_OUTCOME_H
#define LIMEN_PROGRAM_REPLAY_OUTCOME_H

#include "replay.h"

/* Longest name of a rule, with its NUL. */
#define OUTCOME_RULE_MAX 200

/* Returns a VERDICT_... value. */
int outcome_verdict(const replay_outcome *what);

/* Fills 'out' from 'decision', and borrows its texts. */
void outcome_of(const limen_decision *decision, replay_outcome *out);

/*
 * Writes the name of the rule that decided: the application that passed, the failed limit and
 * its application, or the admission entry; else the reason, cut.
 */
void outcome_rule(const replay_outcome *what, char out[OUTCOME_RULE_MAX]);

/* Returns the differences as a set of 1 << DIFFERS_...; decisions may be NULL. */
unsigned outcome_compare(const replay_outcome *was, const replay_outcome *is,
                         const limen_decision *old, const limen_decision *new);

/* Describes the request (user, operation, object) in one line, to g_free(). */
char *outcome_describe(const limen_request *req);

/* Returns "refused, 403: REASON" and the other results, to g_free(). */
char *outcome_account(const replay_outcome *what, const limen_decision *decision);

#endif
