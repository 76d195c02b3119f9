/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_text.h - shows a decision to people.
 */
#ifndef LIMEN_PROGRAM_DECISION_TEXT_H
#define LIMEN_PROGRAM_DECISION_TEXT_H

#include <limen/decision.h>

/*
 * Prints 'decision' about a 'subject' to standard output: the verdict on the
 * first line, then everything else that was found but the rewritten document.
 * 'unprioritized': why no priority was asked for, or NULL.  'prefix' stands before the names of fields.
 */
void decision_print(const limen_decision *decision, limen_subject subject, const char *unprioritized,
                    bool colored, const char *prefix);

/* Prints what became of the task or object, if anything did. */
void decision_print_rewritten(const limen_decision *decision, limen_subject subject);

/* Prints which modules were run, in the order run, and what they said. */
void trace_print(const limen_decision *decision, bool colored);

#endif
