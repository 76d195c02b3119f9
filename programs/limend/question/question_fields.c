/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_fields.c - reads questions from the fields of a form or a query.
 */
#include <string.h>

#include "../common/hints.h"
#include "question.h"

static bool
read_task(const char *text, limen_request **out, fault *why)
{
	limen_diag *diag = limen_diag_new();
	bool good;

	*out = limen_request_new(LIMEN_SUBJECT_TASK);
	good = question_is_read(limen_request_parse(*out, text, strlen(text), diag), diag,
	                        "'task'", why);
	limen_diag_free(diag);
	if (!good)
		return false;
	if (limen_value_type(limen_request_document(*out)) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'task' must be an object");
	return true;
}

/* The fields "requester" and "server" replace those of the field "hints". */
static bool
set_single_hints(const arguments *fields, limen_request *req, fault *why)
{
	static const char *const names[] = { "requester", "server" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = arguments_find(fields, names[i]);

		if (value != NULL && limen_request_set_hint(req, names[i], value) != LIMEN_OK)
			return fault_memory(why);
	}
	return true;
}

static bool
set_hints(const http_peer *peer, const arguments *fields, limen_request *req, fault *why)
{
	const char *text = arguments_find(fields, "hints");
	limen_documents *parsed = NULL;
	limen_value hints = limen_value_none();
	bool good;

	if (text != NULL) {
		parsed = question_open("'hints'", text, strlen(text), why);
		if (parsed == NULL)
			return false;
		hints = limen_documents_get(parsed, 0);
	}
	good = question_set_hints(peer, req, hints, why) && set_single_hints(fields, req, why);
	limen_documents_free(parsed);
	return good;
}

static bool
check_trust(const http_peer *peer, const arguments *fields, fault *why)
{
	static const char *const names[] = { "hints", "requester", "server" };

	for (size_t i = 0; i < G_N_ELEMENTS(names) && !peer->trusted; i++)
		if (arguments_find(fields, names[i]) != NULL)
			return question_distrust(names[i], why);
	return true;
}

static bool
read_rewrite(const arguments *fields, limen_switch *out, fault *why)
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
question_read_fields(const http_peer *peer, const arguments *fields, question *out,
                     fault *why)
{
	const char *task = arguments_find(fields, "task");

	*out = (question){ .options = { .size = sizeof(out->options) } };
	if (task == NULL)
		return fault_set(why, 400, "There must be a 'task'");
	return check_trust(peer, fields, why) &&
	       read_rewrite(fields, &out->options.rewrite, why) &&
	       read_task(task, &out->request, why) &&
	       set_hints(peer, fields, out->request, why);
}
