/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.h - prints the decisions about the subjects of one file, in the chosen format.
 */
#ifndef LIMEN_PROGRAM_CHECK_OUTPUT_H
#define LIMEN_PROGRAM_CHECK_OUTPUT_H

#include "ask/judgement.h"
#include "ask/subjects.h"
#include "check.h"
#include "report/report.h"

/* The JSON Patches (RFC 6902) of all objects in one document, merged into one patch of it. */
typedef struct patch_out {
	GString *operations; /* NULL: no document begun */
	size_t document;
	size_t printed; /* documents whose patch is printed */
	bool refused;   /* an object in the document was refused: its line is null */
} patch_out;

/* The judgements of all files; an object and the pods it makes count once, with the worst. */
typedef struct check_counts {
	size_t judgements[JUDGEMENTS];
	bool tasks; /* some are tasks, or cannot be read */
} check_counts;

typedef struct check_output {
	const check *how;
	const char *name; /* of the file */
	bool headings;    /* there are other files */
	bool *printed;    /* something was printed before */
	check_counts *counts;
	report_suite *suite; /* for FORMAT_JUNIT and FORMAT_GITHUB; else NULL */
	patch_out patch;
} check_output;

/* Prints one decision.  Returns false with '*why' to g_free() if that fails. */
bool check_output_decision(check_output *to, const subject *item, const limen_decision *decision,
                           const judgement *judged, char **why);

/* Adds to the report that the file cannot be read or decided, or its warnings. */
void check_output_problems(check_output *to, const limen_diag *diag, const char *why, bool broken);

/* Takes note of a subject without a decision: with --format patch its document's line is null. */
void check_output_no_decision(check_output *to, const subject *item);

/* Prints the heading of a file or, unless NULL, of one of its objects, if there are several. */
void check_output_heading(check_output *to, const subject *item);

/* Prints the line of counts: "5 objects: 1 refused, 4 admitted". */
void check_output_counts(const check_counts *counts);

/* Completes the output of a file with 'documents' documents. */
void check_output_finish(check_output *to, size_t documents);

#endif
