/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_outcome.h - what was decided about a request, and whether it is the same.
 */
#ifndef LIMEN_PROGRAM_REPLAY_OUTCOME_H
#define LIMEN_PROGRAM_REPLAY_OUTCOME_H

#include "replay.h"

/* The longest name of a rule, with the byte that ends it. */
#define OUTCOME_RULE_MAX 200

/* VERDICT_... */
int outcome_verdict(const replay_outcome *what);

/* Takes over what 'decision' says, whose texts it borrows. */
void outcome_of(const limen_decision *decision, replay_outcome *out);

/*
 * Writes by which rule that was decided: the application that passed, the limit of
 * which application failed, the admission entry; else the reason, cut.
 */
void outcome_rule(const replay_outcome *what, char out[OUTCOME_RULE_MAX]);

/* In what the answers differ, 1 << DIFFERS_...; decisions may be NULL. */
unsigned outcome_compare(const replay_outcome *was, const replay_outcome *is,
                         const limen_decision *old, const limen_decision *new);

/* Who asked for what, in a line to g_free(). */
char *outcome_describe(const limen_request *req);

/* "refused, 403: REASON", and what else came of it, to g_free(). */
char *outcome_account(const replay_outcome *what, const limen_decision *decision);

#endif
