/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.h - prints the decisions about the subjects of one file, in the chosen format.
 */
#ifndef LIMEN_PROGRAM_CHECK_OUTPUT_H
#define LIMEN_PROGRAM_CHECK_OUTPUT_H

#include "ask/judgement.h"
#include "check.h"
#include "report/report.h"

typedef struct check_output {
	const check *settings;
	const char *name; /* of the file */
	bool headings;    /* there are other files or requests */
	bool *printed;    /* something was printed before */
	report_suite *suite; /* for FORMAT_JUNIT and FORMAT_GITHUB; else NULL */
	/*
	 * For FORMAT_PATCH: the operations of all objects in each document, as a GString, which is
	 * empty if one was refused; NULL: no changes.  Else NULL.
	 */
	GPtrArray *patches;
} check_output;

/* Prints one decision; result->why tells if that fails. */
void check_output_decision(check_output *to, case_result *result);

/* Adds to the report that the file cannot be read or decided, or its warnings. */
void check_output_problems(check_output *to, const limen_diag *diag, const char *why, bool broken);

/* Prints the heading of a file or, unless NULL, of one of its objects, if there are several. */
void check_output_heading(check_output *to, const ask_case *item);

/* Prints the patches of a file with 'documents' documents. */
void check_output_patches(check_output *to, size_t documents);

#endif
