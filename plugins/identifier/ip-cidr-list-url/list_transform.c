/* SPDX-License-Identifier: Apache-2.0 */
/* list_transform.c - owns nothing. */
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list_transform.h"

/*
 * Outputs are joined by newlines and then cut at newlines, so each can be read
 * by itself.  A string is used as it is; anything else is what Python's str()
 * makes of it, whatever "output-raw" says.
 */
static void
take_output(jv output, void *data)
{
	list_text *out = data;
	char *text;

	if (jv_get_kind(output) == JV_KIND_STRING) {
		list_text_add(out, jv_string_value(output),
		              (size_t)jv_string_length_bytes(jv_copy(output)));
		jv_free(output);
		return;
	}
	text = jq_to_text(output);
	if (text == NULL)
		out->failure = "out of memory";
	else
		list_text_add(out, text, strlen(text));
	free(text);
}

/* pScheduler reads such a list with Python's json, without its comments. */
static limen_documents *
read_body(const char *body, size_t length, char error[LIST_TRANSFORM_ERROR])
{
	limen_documents *parsed = NULL;
	limen_diag *diag = limen_diag_new();
	const limen_problem *problem;

	if (limen_documents_parse("list.json", body, length,
	                          LIMEN_DOCUMENTS_DROP_COMMENTS | LIMEN_DOCUMENTS_NAN, &parsed,
	                          diag) != LIMEN_OK) {
		problem = diag == NULL ? NULL : limen_diag_get(diag, 0);
		snprintf(error, LIST_TRANSFORM_ERROR, "%s",
		         problem == NULL ? "out of memory" : problem->text);
	}
	limen_diag_free(diag);
	return parsed;
}

bool
list_transform(jq_script *script, const char *body, size_t length, list_text *out,
               char error[LIST_TRANSFORM_ERROR])
{
	limen_documents *read;
	char *why = NULL;
	jq_outcome outcome;
	jv input;

	if (!jq_text_fits(body, length)) {
		snprintf(error, LIST_TRANSFORM_ERROR,
		         "the transform failed: The input is too large for a script");
		return false;
	}
	read = read_body(body, length, error);
	if (read == NULL)
		return false;
	input = jq_from_value(limen_documents_get(read, 0));
	limen_documents_free(read);
	outcome = jq_run_each(script, input, INT64_MAX, take_output, out, &why);
	if (outcome == JQ_FAILED)
		snprintf(error, LIST_TRANSFORM_ERROR, "the transform failed: %s",
		         why == NULL ? "out of memory" : why);
	free(why);
	return outcome != JQ_FAILED;
}
