/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - writes decisions and errors to standard output as JSON, one object per line. */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/json_out.h"
#include "common/print.h"
#include "policy/problems.h"

GString *
answer_make(const limen_decision *decision, const char *key, const char *json)
{
	size_t length = 0;
	char *text = limen_decision_to_json(decision, 0, &length);
	GString *out;

	if (text == NULL)
		return NULL;
	out = g_string_new("{");
	if (key != NULL)
		print_append(out, "\"%s\":%s,", key, json);
	/* The decision object is never empty, so its first member follows. */
	g_string_append_len(out, text + 1, (gssize)length - 1);
	free(text);
	return out;
}

bool
answer_decision(const limen_decision *decision, const char *id)
{
	GString *out = answer_make(decision, id == NULL ? NULL : "id", id);

	if (out == NULL)
		return false;
	g_string_append_c(out, '\n');
	fwrite(out->str, 1, out->len, stdout);
	g_string_free(out, TRUE);
	return true;
}

static void
append_problems(GString *out, const limen_diag *problems, bool placeless)
{
	if (problems == NULL)
		return;
	json_key(out, "problems");
	problems_append_json(out, problems, placeless);
}

static void
write_line(GString *out)
{
	g_string_append(out, "}}\n");
	fwrite(out->str, 1, out->len, stdout);
	g_string_free(out, TRUE);
}

void
answer_error(const char *message, const limen_diag *problems)
{
	GString *out = g_string_new(NULL);

	json_write(out, "{error:{message:s", message);
	append_problems(out, problems, false);
	write_line(out);
}

void
answer_line_error(const char *id, unsigned long number, const char *message,
                  const limen_diag *problems, bool placeless)
{
	GString *out = g_string_new(NULL);

	json_write(out, "{id:j error:{message:s line:i", id, message, (int64_t)number);
	append_problems(out, problems, placeless);
	write_line(out);
}
