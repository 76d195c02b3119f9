/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch_line.c - parses one line of a batch: a question to limend (docs/decision-service.md) that
 * may name a policy and a decision time.
 */
#include "batch_line.h"

#include <glib.h>
#include <stdlib.h>

#include "policy/policy.h"
#include "policy/problems.h"

static bool
read_policy(batch_line *line, limen_value document, char **why)
{
	line->policy = limen_value_get(document, "policy");
	switch (limen_value_type(line->policy)) {
	case LIMEN_TYPE_NULL:
		line->policy = limen_value_none();
		return true;
	case LIMEN_TYPE_NONE:
	case LIMEN_TYPE_STRING:
	case LIMEN_TYPE_OBJECT:
		return true;
	default:
		*why = g_strdup("'policy' must be a path or an object");
		return false;
	}
}

static bool
read_time(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	limen_value member = limen_value_get(document, "time");
	bool has_time = limen_value_type(member) > LIMEN_TYPE_NULL;
	limen_time time = defaults->time;

	if (has_time && !ask_read_time(member, &time)) {
		*why = g_strdup("'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since "
		                "1970");
		return false;
	}
	if (has_time || defaults->has_time)
		limen_request_set_now(line->request, time);
	return true;
}

/* Adds what the options say where the line does not. */
static bool
complete(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	limen_value hints = limen_value_get(document, "hints");

	if (limen_request_is_manifest(line->request))
		*why = ask_refuse_several(limen_request_document(line->request));
	if (limen_value_type(hints) <= LIMEN_TYPE_NULL &&
	    !ask_set_hints(defaults, line->request) && *why == NULL)
		*why = g_strdup("the hints cannot be taken over");
	if (defaults->as_received)
		limen_request_set_manifest(line->request, false);
	return *why == NULL && read_time(line, defaults, document, why);
}

bool
batch_line_read(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	static const char *const more[] = { "policy", "time", NULL };
	const limen_question_options how = {
		.size = sizeof(how),
		.trusted = true,
		.dry_run = defaults->dry_run,
		.default_namespace = defaults->namespace,
		.more_members = more,
		.subject = defaults->subject == ASK_OBJECT ? LIMEN_SUBJECT_OBJECT
		                                           : LIMEN_SUBJECT_TASK,
	};
	limen_diag *diag = policy_diag();
	int result;

	*line = (batch_line){ .options = defaults->decide };
	line->id = limen_value_to_json(limen_value_get(document, "id"), 0, NULL);
	result = limen_question_read(document, &how, &line->options, &line->request, diag);
	/* A manifest whose names are no texts is a mistake of the line. */
	if (result != LIMEN_OK || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		*why = g_strdup(problems_first(diag, "out of memory"));
	limen_diag_free(diag);
	return *why == NULL && read_policy(line, document, why) &&
	       complete(line, defaults, document, why);
}

void
batch_line_finish(batch_line *line)
{
	limen_request_free(line->request);
	free(line->id);
}
