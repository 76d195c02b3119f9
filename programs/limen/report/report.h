/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - the results of many requests, for other programs: JUnit XML, and annotations of
 * GitHub.  "limen check" and "limen test" fill one and print it.
 */
#ifndef LIMEN_PROGRAM_REPORT_H
#define LIMEN_PROGRAM_REPORT_H

#include <glib.h>
#include <limen/diag.h>
#include <stdbool.h>

typedef enum report_outcome {
	REPORT_PASSED,
	REPORT_FAILED,
	REPORT_SKIPPED,
	REPORT_BROKEN, /* the request could not be decided */
	REPORT_OUTCOMES
} report_outcome;

/* Something to tell about a case.  Texts are owned, and NULL if there are none. */
typedef struct report_remark {
	char *message;
	char *details;
	/* For an expectation that was not met: */
	char *place;       /* "FILE:LINE:COLUMN" */
	char *expected;    /* JSON */
	char *found;       /* JSON */
	char *because;     /* the reason of the decision */
	char *trace;       /* its trace as text */
	limen_value where; /* the expectation */
	bool replaceable;  /* the found value can replace the expected one */
	unsigned line;     /* in the file of the suite; 0: unknown */
	unsigned column;
	bool warning;      /* the case does not fail for it */
} report_remark;

typedef struct report_case {
	char *name;
	char *place; /* or NULL */
	char *why;   /* of a case that was skipped or is broken */
	report_outcome outcome;
	int64_t microseconds; /* -1: unknown */
	GArray *remarks;      /* report_remark */
} report_case;

/* The cases of one file. */
typedef struct report_suite {
	char *file;
	GPtrArray *cases; /* report_case */
} report_suite;

typedef GPtrArray report; /* report_suite; free it with g_ptr_array_unref() */

report *report_new(void);
report_suite *report_add_suite(report *self, const char *file);

/* Makes a case that passed; takes over 'name'.  Clear it with report_case_clear(). */
report_case report_case_make(char *name);
void report_case_clear(report_case *entry);

/* Adds such a case; copies the name. */
report_case *report_add_case(report_suite *suite, const char *name);

/* Adds a remark; takes over 'message' and 'details'.  The result is valid until the next call. */
report_remark *report_add_remark(report_case *entry, char *message, char *details);

/* Adds the problems and warnings of 'diag' about the file of the suite. */
void report_add_problems(report_case *entry, const limen_diag *diag);

/* Adds the number of cases with each outcome to 'counts'. */
void report_count(const report_suite *suite, size_t counts[REPORT_OUTCOMES]);

/* Print the report to standard output. */
void report_print_junit(const report *self);
void report_print_github(const report *self);

#endif
