/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_case.h - fills a struct from a text and a table of options, and
 * compares what was reported with what should be (problems.h).
 */
#ifndef LIMEN_TESTS_CORE_OPTION_CASE_H
#define LIMEN_TESTS_CORE_OPTION_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "option/option.h"
#include "problems.h"
#include "suite.h"
#include "reader/reader.h"

/* What the last fill_options() left behind; fields of the target borrow from it. */
typedef struct option_run {
	document *document;
	cleanup owned;
	bool good;
	char *problems;
} option_run;

static option_run last;

static inline void
option_run_free(void)
{
	cleanup_run(&last.owned);
	document_unref(last.document);
	free(last.problems);
	last = (option_run){ .document = NULL };
}

/* Returns what was reported. */
static inline const char *
fill_options(const limen_option *rows, const char *json, void *target,
             const options_context *context)
{
	options_context own = context == NULL ? (options_context){ .diag = NULL } : *context;
	limen_diag *diag = limen_diag_new();

	option_run_free();
	own.owner = &last.owned;
	own.diag = diag;
	last.document = json_read("test", json, strlen(json), READ_NAN, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(last.document);
	last.good = options_fill(rows, document_root(last.document), target, &own);
	/* What is reported and what is returned must say the same. */
	CU_ASSERT_EQUAL(last.good, limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
	last.problems = problems_print(diag, false);
	limen_diag_free(diag);
	return last.problems;
}

typedef struct option_case {
	const char *json;
	const char *problems; /* "" if the value is good */
} option_case;

/* Checks every case up to one without a text. */
static inline void
check_options(const limen_option *rows, void *target, const option_case *cases)
{
	for (; cases->json != NULL; cases++) {
		const char *found = fill_options(rows, cases->json, target, NULL);

		if (strcmp(found, cases->problems) != 0)
			printf("# %s\n#  wanted: %s\n#  found:  %s\n", cases->json, cases->problems,
			       found);
		CU_ASSERT_STRING_EQUAL(found, cases->problems);
	}
}

#endif
