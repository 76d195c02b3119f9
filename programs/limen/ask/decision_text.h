/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_text.h - prints a decision as text.
 */
#ifndef LIMEN_PROGRAM_DECISION_TEXT_H
#define LIMEN_PROGRAM_DECISION_TEXT_H

#include <stdio.h>

#include "judgement.h"

/*
 * Prints a decision to standard output: the verdict on the first line, then all other results
 * except the rewritten document.  'file' is where the subject was found, for the places of
 * violations; 'unprioritized' says why no priority was computed, or is NULL.  Without the
 * diagnostics if it is 'explained': the trace follows, which tells the same and more.
 */
void decision_print(const case_result *result, const char *file, const char *unprioritized,
                    bool explained, bool colored);

/*
 * Returns the value that a violation of 'field' ("spec.containers[0].resources.limits[cpu]") is
 * about, where it stands in the file of the subject, or what is nearest to it.
 */
limen_value decision_find_field(const ask_case *item, const char *field);

/* Prints the word of the judgement, such as "admitted", without a newline. */
void decision_print_word(judgement_kind kind, bool colored);

/* Prints the line with the verdict and the reason. */
void decision_print_verdict(const case_result *result, bool colored);

/* Prints the rewritten task or object, if the decision changed it. */
void decision_print_rewritten(const limen_decision *decision, bool object);

/* Prints the modules that ran to 'to', in that order, with their verdicts and reasons. */
void trace_print(FILE *to, const limen_decision *decision, bool colored);

#endif
