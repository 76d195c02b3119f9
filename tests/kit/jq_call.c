/* SPDX-License-Identifier: Apache-2.0 */
/* jq_call.c - calls of one jq expression, through the library modules use. */
#include <stdlib.h>
#include <string.h>

#include "jq_call.h"
#include "plugin.h"
#include "suite.h"

jq_script *
jq_call_open(const char *text)
{
	/* Long strings take their time where there are many tests at once. */
	const jq_setup setup = { .timeout = 60 * LIMEN_SECOND };
	const limen_transform transform = { .script = text };
	limen_diag *diag = limen_diag_new();
	jq_script *script = NULL;
	int result = jq_script_open(&setup, &transform, NULL, diag, &script);

	if (result != LIMEN_OK)
		limen_diag_write(diag, stdout);
	CU_ASSERT_EQUAL(result, LIMEN_OK);
	limen_diag_free(diag);
	return result == LIMEN_OK ? script : NULL;
}

static char *
take_text(jq_result *result)
{
	char *text = NULL;

	if (result->outcome == JQ_VALUE)
		text = jq_to_json(jv_copy(result->value));
	else
		text = strdup(result->outcome == JQ_NOTHING ? "(nothing)"
		                                            : jq_result_error(result));
	jq_result_clear(result);
	return text;
}

char *
jq_call(jq_script *script, const char *input)
{
	jq_result result;

	jq_run(script, jv_parse(input), INT64_MAX, &result);
	return take_text(&result);
}

void
jq_call_string(jq_script *script, const char *input, size_t length, jq_result *result)
{
	jq_run(script, jv_string_sized(input, (int)length), INT64_MAX, result);
}

void
jq_call_check(const char *text, const struct jq_call_case *cases)
{
	jq_script *script = jq_call_open(text);

	if (script == NULL)
		return;
	for (; cases->input != NULL; cases++) {
		char *found = jq_call(script, cases->input);

		plugin_assert(found != NULL && strcmp(found, cases->result) == 0, __FILE__,
		              __LINE__, "%s: %s, not %s", cases->input,
		              found == NULL ? "NULL" : found, cases->result);
		free(found);
	}
	jq_script_close(script);
}
