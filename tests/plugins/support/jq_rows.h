/* SPDX-License-Identifier: Apache-2.0 */
/* jq_rows.h - tables of scripts, each run once on one input. */
#ifndef LIMEN_TESTS_PLUGINS_SUPPORT_JQ_ROWS_H
#define LIMEN_TESTS_PLUGINS_SUPPORT_JQ_ROWS_H

#include "../../../plugins/support/jq/jq.h"

struct jq_row {
	const char *script; /* NULL ends a table */
	const char *input;  /* JSON; NULL: null */
	/* Compact JSON, "(nothing)", or "! " and the error. */
	const char *result;
};

/* Opens a script with a time-out; NULL, and a failed test, if it does not compile. */
jq_script *jq_rows_open(const char *script, limen_duration timeout);

/* Runs 'script' on the JSON 'input'; the result in the form of a row, for free(). */
char *jq_rows_run(jq_script *script, const char *input);

/* Runs all rows; each may take as long as a busy machine needs. */
void jq_rows_check(const struct jq_row *rows);

#endif
