/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.h - prints the decisions about the subjects of one file, in the chosen format.
 */
#ifndef LIMEN_PROGRAM_CHECK_OUTPUT_H
#define LIMEN_PROGRAM_CHECK_OUTPUT_H

#include "ask/patch_out.h"
#include "ask/subjects.h"
#include "check.h"

typedef struct check_output {
	const check *how;
	const char *name; /* of the file */
	bool headings;    /* there are other files */
	bool *printed;    /* something was printed before */
	patch_out patch;
} check_output;

/* Prints one decision.  Returns false with '*why' to g_free() if that fails. */
bool check_output_decision(check_output *to, const subject *about,
                           const limen_decision *decision, char **why);

/* Prints the heading of a file or of one of its subjects, if there are several. */
void check_output_heading(check_output *to, const char *label);

/* Completes the output of a file with 'documents' documents. */
void check_output_finish(check_output *to, size_t documents);

#endif
