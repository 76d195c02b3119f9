/* SPDX-License-Identifier: Apache-2.0 */
/* jq_rows.c - runs tables of scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq_rows.h"
#include "plugin.h"
#include "suite.h"

jq_script *
jq_rows_open(const char *script, limen_duration timeout)
{
	const jq_setup setup = { .timeout = timeout };
	const limen_transform transform = { .script = script };
	limen_diag *diag = limen_diag_new();
	jq_script *opened = NULL;
	int result = jq_script_open(&setup, &transform, NULL, diag, &opened);

	plugin_assert(result == LIMEN_OK, __FILE__, __LINE__, "%s does not compile", script);
	if (result != LIMEN_OK)
		limen_diag_write(diag, stdout);
	limen_diag_free(diag);
	return opened;
}

/* The form of a row; clears 'result'. */
static char *
describe(jq_result *result)
{
	char *text = NULL;

	if (result->outcome == JQ_VALUE)
		text = jq_to_json(jv_copy(result->value));
	else if (result->outcome == JQ_NOTHING)
		text = strdup("(nothing)");
	else if (asprintf(&text, "! %s", jq_result_error(result)) < 0)
		text = NULL;
	jq_result_clear(result);
	return text;
}

char *
jq_rows_run(jq_script *script, const char *input)
{
	jq_result result;

	if (script == NULL)
		return strdup("! The script does not compile");
	jq_run(script, input == NULL ? jv_null() : jv_parse(input), INT64_MAX, &result);
	return describe(&result);
}

void
jq_rows_check(const struct jq_row *rows)
{
	for (; rows->script != NULL; rows++) {
		jq_script *script = jq_rows_open(rows->script, 60 * LIMEN_SECOND);
		char *found;

		if (script == NULL)
			continue;
		found = jq_rows_run(script, rows->input);
		plugin_assert(found != NULL && strcmp(found, rows->result) == 0, __FILE__,
		              __LINE__, "%s: %s, not %s", rows->script,
		              found == NULL ? "NULL" : found, rows->result);
		free(found);
		jq_script_close(script);
	}
}
