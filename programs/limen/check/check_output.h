/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.h - shows the decisions about the subjects of one file, in the
 * format that "limen check" was told.
 */
#ifndef LIMEN_PROGRAM_CHECK_OUTPUT_H
#define LIMEN_PROGRAM_CHECK_OUTPUT_H

#include "ask/patch_out.h"
#include "ask/subjects.h"
#include "check.h"

typedef struct check_output {
	const check *how;
	const char *name; /* of the file */
	bool headings;    /* there are others */
	bool *printed;    /* whether anything was printed before */
	patch_out patch;
} check_output;

/* Shows one decision.  Returns false with '*why' to g_free() if it cannot be shown. */
bool check_output_decision(check_output *to, const subject *about,
                           const limen_decision *decision, char **why);

/* Prints the heading of a file, or of one of its subjects, if there are others. */
void check_output_heading(check_output *to, const char *label);

/* Ends the file, which holds that many documents. */
void check_output_finish(check_output *to, size_t documents);

#endif
