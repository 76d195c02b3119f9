/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_text.h - prints a decision as text.
 */
#ifndef LIMEN_PROGRAM_DECISION_TEXT_H
#define LIMEN_PROGRAM_DECISION_TEXT_H

#include <limen/decision.h>
#include <stdio.h>

/*
 * Prints 'decision' about a 'subject' to standard output: the verdict on the first line, then
 * all other results except the rewritten document.  'unprioritized' says why no priority was
 * computed, or is NULL.  'prefix' is put before the names of fields.
 */
void decision_print(const limen_decision *decision, limen_subject subject, const char *unprioritized,
                    bool colored, const char *prefix);

/* Prints "admitted", "refused" or "error", without a newline. */
void decision_print_word(const limen_decision *decision, bool colored);

/* Prints the line with the verdict and the reason. */
void decision_print_verdict(const limen_decision *decision, bool colored);

/* Prints the rewritten task or object, if the decision changed it. */
void decision_print_rewritten(const limen_decision *decision, limen_subject subject);

/* Prints the modules that ran to 'to', in that order, with their verdicts and reasons. */
void trace_print(FILE *to, const limen_decision *decision, bool colored);

#endif
