/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_fields.c - reads questions from the fields of a form or a query.
 */
#include <string.h>

#include "../common/auto.h"
#include "question.h"

static bool
read_task(const http_peer *peer, const char *text, limen_request **out, fault *why)
{
	g_autoptr(limen_diag) diag = limen_diag_new();

	*out = limen_request_new(LIMEN_SUBJECT_TASK);
	if (!question_is_read(limen_request_parse(*out, text, strlen(text), diag), diag, "'task'",
	                      why))
		return false;
	if (limen_value_type(limen_request_document(*out)) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'task' must be an object");
	if (!peer->trusted && limen_request_is_run(*out))
		return question_distrust("'run_schedule' counts only from trusted clients", why);
	return true;
}

/* Sets the hint of the field 'name', or that of the connection if there is none at all. */
static bool
set_hint(const arguments *fields, const char *name, const char *of_peer, limen_request *req)
{
	const char *value = arguments_find(fields, name);

	if (value == NULL && !limen_value_exists(limen_value_get(limen_request_hints(req), name)))
		value = of_peer;
	return value == NULL || limen_request_set_hint(req, name, value) == LIMEN_OK;
}

/* Parses the field "hints", in which no member may be repeated. */
static limen_documents *
open_hints(const char *text, fault *why)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(limen_documents) parsed = NULL;
	int result = limen_documents_parse("hints.json", text, strlen(text),
	                                   LIMEN_DOCUMENTS_NOTE_REPEATED, &parsed, diag);
	const limen_problem *repeated = limen_diag_get(diag, 0);

	if (!question_is_read(result, diag, "'hints'", why) || repeated == NULL)
		return g_steal_pointer(&parsed);
	fault_set(why, 400,
	          "'hints': member '%.100s' is repeated; the first is at line %u column %u",
	          repeated->pointer == NULL ? "" : repeated->pointer + 1, repeated->line,
	          repeated->column);
	return NULL;
}

/* The field "hints" replaces what the connection tells, and single fields replace both. */
static bool
set_hints(const http_peer *peer, const arguments *fields, limen_request *req, fault *why)
{
	const char *text = arguments_find(fields, "hints");
	g_autoptr(limen_documents) parsed = text == NULL ? NULL : open_hints(text, why);
	int result = LIMEN_OK;

	if (text != NULL && parsed == NULL)
		return false;
	if (parsed != NULL)
		result = limen_request_set_hints(req, limen_documents_get(parsed, 0));
	if (result == LIMEN_EINVAL)
		return fault_set(why, 400, "'hints' must be an object");
	return (result == LIMEN_OK && set_hint(fields, "requester", peer->address, req) &&
	        set_hint(fields, "server", peer->local, req)) ||
	       fault_memory(why);
}

static bool
check_trust(const http_peer *peer, const arguments *fields, fault *why)
{
	static const char *const names[] = { "hints", "requester", "server", "rewrite" };

	for (size_t i = 0; i < G_N_ELEMENTS(names) && !peer->trusted; i++) {
		char refusal[64];

		g_snprintf(refusal, sizeof(refusal), "'%s' counts only from trusted clients",
		           names[i]);
		if (arguments_find(fields, names[i]) != NULL)
			return question_distrust(refusal, why);
	}
	return true;
}

static bool
read_rewrite(const arguments *fields, uint32_t *out, fault *why)
{
	const char *text = arguments_find(fields, "rewrite");

	if (text == NULL)
		return true;
	if (strcmp(text, "true") == 0)
		*out = LIMEN_SWITCH_ON;
	else if (strcmp(text, "false") == 0)
		*out = LIMEN_SWITCH_OFF;
	else
		return fault_set(why, 400, "'rewrite' must be true or false");
	return true;
}

bool
question_read_fields(const http_peer *peer, const arguments *fields, deciding *out, fault *why)
{
	const char *task = arguments_find(fields, "task");

	*out = (deciding){ .options = { .size = sizeof(out->options) } };
	if (task == NULL)
		return fault_set(why, 400, "There must be a 'task'");
	return check_trust(peer, fields, why) &&
	       read_rewrite(fields, &out->options.rewrite, why) &&
	       read_task(peer, task, &out->request, why) &&
	       set_hints(peer, fields, out->request, why);
}
