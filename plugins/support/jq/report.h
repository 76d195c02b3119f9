/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - problems and notes about a script, at their place in the policy file. */
#ifndef LIMEN_SUPPORT_JQ_REPORT_H
#define LIMEN_SUPPORT_JQ_REPORT_H

#include "jq.h"
#include "words.h"

/* Returns the value in the file that holds byte 'at' of the script: an element, or all. */
limen_value report_place(const limen_transform *transform, size_t at);

/* Adds problems for 'messages', the compiler's, one a line. */
void report_errors(const limen_transform *transform, const words *script, const char *messages,
                   limen_diag *diag);

/* Adds remarks on what a script does that compiles. */
void report_remarks(const jq_setup *setup, const limen_transform *transform, const words *script,
                    limen_diag *diag);

#endif
