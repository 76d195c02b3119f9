/* SPDX-License-Identifier: Apache-2.0 */
/*
 * short_answer.c - prints a decision object with a fixed reason for its kind of decision.  Keeps
 * the id, the verdict, the code, the retry time and, if admitted, the priority, the rewritten
 * document and the patch.
 */
#include "short_answer.h"

#include <inttypes.h>
#include <limen/duration.h>
#include <math.h>
#include <stdlib.h>

#include "../common/json_out.h"
#include "../common/print.h"

const char *
short_answer_reason(const limen_decision *decision)
{
	limen_duration ignored;

	if (limen_decision_admitted(decision))
		return "admitted";
	switch (limen_decision_code(decision)) {
	case 500:
		return "cannot be decided now";
	case 422:
		return "not valid";
	case 429:
		return "too many requests, try again later";
	default:
		/* A task is refused with 403 also for its rate. */
		return limen_decision_retry_after(decision, &ignored)
		               ? "too many requests, try again later"
		               : "refused by the policy";
	}
}

/* Adds the shortest text that is read back as 'value'. */
static void
put_real(GString *out, double value)
{
	static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(text, sizeof(text), formats[i], value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	json_raw(out, text);
}

/* Adds the priority as limen_decision_to_json() does: whole numbers without a fraction. */
static void
put_priority(GString *out, const limen_decision *decision)
{
	double value;

	json_key(out, "priority");
	if (!limen_decision_admitted(decision) || !limen_decision_priority(decision, &value))
		json_raw(out, NULL);
	else if (value == trunc(value) && fabs(value) < 1e15)
		json_int(out, (int64_t)value);
	else
		put_real(out, value);
}

static void
put_wait(GString *out, const limen_decision *decision)
{
	limen_duration wait;
	GString *text;

	json_key(out, "retry_after");
	if (!limen_decision_retry_after(decision, &wait)) {
		json_raw(out, NULL);
		return;
	}
	text = g_string_new(NULL);
	print_append(text, "%" PRId64 ".%06" PRId64, (int64_t)(wait / LIMEN_SECOND),
	             (int64_t)(wait % LIMEN_SECOND));
	while (text->str[text->len - 1] == '0')
		g_string_truncate(text, text->len - 1);
	if (text->str[text->len - 1] == '.')
		g_string_truncate(text, text->len - 1);
	json_raw(out, text->str);
	g_string_free(text, TRUE);
}

static void
put_members(GString *out, const char *id, const limen_decision *decision, const char *rewritten,
            const char *patch)
{
	g_string_append_c(out, '{');
	if (id != NULL)
		json_write(out, "id:j", id);
	json_write(out,
	           "admitted:b code:d reason:s messages:[] diagnostics:j identifiers:[] "
	           "classifiers:[]",
	           limen_decision_admitted(decision), limen_decision_code(decision),
	           short_answer_reason(decision), NULL);
	put_priority(out, decision);
	json_write(out, "rewritten:j patch:j warnings:[]", rewritten, patch);
	put_wait(out, decision);
	g_string_append_c(out, '}');
}

bool
short_answer_append(GString *out, const char *id, const limen_decision *decision)
{
	/* Changes to refused requests are hidden. */
	bool shown = limen_decision_admitted(decision);
	limen_value changed = shown ? limen_decision_rewritten(decision) : limen_value_none();
	limen_value changes = shown ? limen_decision_patch(decision) : limen_value_none();
	char *rewritten = limen_value_to_json(changed, 0, NULL);
	char *patch = limen_value_to_json(changes, 0, NULL);
	/* A text that is missing for lack of memory must not be printed as null. */
	bool good = (rewritten != NULL || (!limen_value_exists(changed) &&
	                                   limen_value_count(changes) == 0)) &&
	            (patch != NULL || !limen_value_exists(changes));

	if (good)
		put_members(out, id, decision, rewritten, patch);
	free(rewritten);
	free(patch);
	return good;
}
