/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - writes decisions and errors to standard output as JSON, one object per line. */
#include "answer.h"

#include <limen/documents.h>
#include <stdio.h>

#include "common/auto.h"
#include "common/json_out.h"
#include "common/print.h"
#include "policy/problems.h"

/* Replaces the verdict and the reason in the answer 'text' by those of the judgement. */
static GString *
make_unjudged(const GString *text, const judgement *judged)
{
	g_autoptr(limen_documents) parsed = NULL;
	GString *out = g_string_new("{");
	limen_value key, member;

	if (limen_documents_parse("answer.json", text->str, text->len, 0, &parsed, NULL) != LIMEN_OK)
		g_error("out of memory");
	for (limen_iter iter = limen_iter_start(limen_documents_get(parsed, 0));
	     limen_iter_next(&iter, &key, &member);) {
		if (limen_value_is(key, "admitted")) {
			json_write(out, "judged:b admitted:j reason:s hint:s", false, NULL,
			           judged->reason, judged->hint);
		} else if (!limen_value_is(key, "code") && !limen_value_is(key, "reason")) {
			json_write(out, "@:v", limen_value_string(key, NULL), member);
		}
	}
	return g_string_append_c(out, '}');
}

GString *
answer_make(const case_result *result, const char *key, const char *json)
{
	g_autoptr(GString) out = g_string_new("{");
	g_auto(heap_text) text = limen_decision_to_json(result->decision, 0, NULL);

	if (text == NULL)
		return NULL;
	if (key != NULL)
		print_append(out, "\"%s\":%s,", key, json);
	/* The decision object is never empty, so its first member follows. */
	g_string_append(out, text + 1);
	return result->judged.kind == JUDGED_NOT ? make_unjudged(out, &result->judged)
	                                          : g_steal_pointer(&out);
}

/* Completes and prints an error. */
static void
print_error(GString *out, const limen_diag *problems, bool placeless)
{
	if (problems != NULL) {
		json_write(out, "problems:[");
		problems_append_json(out, problems, placeless);
		json_write(out, "]");
	}
	g_string_append(out, "}}\n");
	fwrite(out->str, 1, out->len, stdout);
}

void
answer_error(const char *message, const limen_diag *problems)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{error:{message:s", message);
	print_error(out, problems, false);
}

void
answer_line_error(const char *id, unsigned long number, const char *message,
                  const limen_diag *problems, bool placeless)
{
	g_autoptr(GString) out = g_string_new(NULL);

	json_write(out, "{id:j error:{message:s line:i", id, message, (int64_t)number);
	print_error(out, problems, placeless);
}
