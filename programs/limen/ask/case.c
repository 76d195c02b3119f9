/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case.c - makes a case of a question to limend, or of what a log says about a request.  Owns the
 * table of subjects.
 */
#include "case.h"

#include <string.h>

#include "common/auto.h"
#include "common/workload.h"
#include "policy/problems.h"

/* ---- the subjects ---- */

static int
set_task(limen_request *req, const case_envelope *envelope)
{
	return limen_request_set_task(req, envelope->document);
}

/*
 * Sets the kind of the document, and its group and version, which else are those of the resource.
 */
static int
set_kind(limen_request *req, const case_envelope *envelope)
{
	limen_value shown = limen_value_exists(envelope->document) ? envelope->document
	                                                           : envelope->old;
	const char *const *fields = envelope->fields;
	const char *group = fields[LIMEN_FIELD_RESOURCE_GROUP];
	const char *version = fields[LIMEN_FIELD_RESOURCE_VERSION];
	g_autofree char *prefix = NULL;
	const char *kind, *api;
	int result;

	if (!case_text(limen_value_get(shown, "kind"), &kind) ||
	    !case_text(limen_value_get(shown, "apiVersion"), &api))
		return LIMEN_EINVAL;
	if (api != NULL) {
		const char *slash = strchr(api, '/');

		prefix = g_strndup(api, slash == NULL ? 0 : (size_t)(slash - api));
		group = prefix;
		version = slash == NULL ? api : slash + 1;
	}
	result = limen_request_set_field(req, LIMEN_FIELD_GROUP, group == NULL ? "" : group);
	if (version != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_VERSION, version);
	if (kind != NULL)
		result |= limen_request_set_field(req, LIMEN_FIELD_KIND, kind);
	return result;
}

static int
set_object(limen_request *req, const case_envelope *envelope)
{
	limen_value none = limen_value_none();
	int result = limen_request_set_field(req, LIMEN_FIELD_RESOURCE_GROUP, "");

	for (int i = 0; i <= LIMEN_FIELD_SUBRESOURCE; i++)
		if (envelope->fields[i] != NULL)
			result |= limen_request_set_field(req, (limen_field)i, envelope->fields[i]);
	result |= set_kind(req, envelope);
	result |= limen_request_claim(req, none, none, envelope->groups, NULL);
	if (limen_value_exists(envelope->document))
		result |= limen_request_set_document(req, envelope->document);
	if (limen_value_exists(envelope->old))
		result |= limen_request_set_old(req, envelope->old);
	limen_request_set_manifest(req, envelope->manifest);
	return result;
}

/* A row for each subject: its word, and how a log's request of it is made. */
const case_subject case_subjects[] = {
	[ASK_INFER] = { NULL, LIMEN_SUBJECT_TASK, set_task },
	[ASK_TASK] = { "task", LIMEN_SUBJECT_TASK, set_task },
	[ASK_OBJECT] = { "object", LIMEN_SUBJECT_OBJECT, set_object },
	[ASK_HTTP] = { "http", LIMEN_SUBJECT_HTTP, NULL },
};

ask_subject
case_find_subject(limen_value word)
{
	ask_subject subject = ASK_HTTP;

	while (subject != ASK_INFER && !limen_value_is(word, case_subjects[subject].word))
		subject--;
	return subject;
}

bool
case_text(limen_value value, const char **out)
{
	size_t length = 0;

	*out = limen_value_string(value, &length);
	return *out == NULL || strlen(*out) == length;
}

limen_request *
case_make(ask_subject subject, const case_envelope *envelope)
{
	const limen_question_options http = { .size = sizeof(http), .trusted = true,
		                              .requester = envelope->requester };
	limen_request *req = NULL;
	int result = LIMEN_OK;

	if (subject == ASK_HTTP)
		result = limen_http_read(envelope->document, &http, &req, NULL);
	else
		req = limen_request_new(case_subjects[subject].subject);

	if (envelope->requester != NULL && subject != ASK_HTTP)
		result |= limen_request_set_hint(req, "requester", envelope->requester);
	if (case_subjects[subject].set != NULL)
		result |= case_subjects[subject].set(req, envelope);
	/* Logged hints win over those made of the envelope. */
	if (limen_value_type(envelope->hints) == LIMEN_TYPE_OBJECT)
		result |= limen_request_set_hints(req, envelope->hints);
	limen_request_set_dry_run(req, envelope->dry_run);
	if (result != LIMEN_OK)
		g_clear_pointer(&req, limen_request_free);
	return req;
}

/* ---- cases ---- */

static bool
names_namespace(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");

	return limen_value_type(limen_value_get(metadata, "namespace")) == LIMEN_TYPE_STRING;
}

ask_case
case_of(limen_request *req, const limen_decide_options *options)
{
	limen_value document = limen_request_document(req);
	const char *group = limen_request_field(req, LIMEN_FIELD_GROUP);

	return (ask_case){
		.request = req,
		.options = *options,
		.object = limen_request_subject(req) == LIMEN_SUBJECT_OBJECT,
		.limited = (group == NULL || group[0] == '\0') &&
		           workload_is_limited(limen_request_field(req, LIMEN_FIELD_VERSION),
		                               limen_request_field(req, LIMEN_FIELD_KIND)),
		.names_namespace = names_namespace(document),
		.source = document,
	};
}

bool
case_read_question(const ask_settings *settings, limen_value question, ask_case *out, char **why)
{
	static const char *const more[] = { "policy", "time", NULL };
	const limen_question_options reading = {
		.size = sizeof(reading),
		.trusted = true,
		.dry_run = settings->dry_run,
		.default_namespace = settings->namespace,
		.more_members = more,
		.subject = case_subjects[settings->subject].subject,
	};
	limen_decide_options options = settings->decide;
	limen_value hints = limen_value_get(question, "hints");
	limen_request *req = NULL;
	g_autoptr(limen_diag) diag = limen_diag_new();
	int result = limen_question_read(question, &reading, &options, &req, diag);

	/* A manifest whose names are no texts is a mistake of the question. */
	if (result != LIMEN_OK || limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		*why = g_strdup(problems_first(diag, "out of memory"));
	else if (limen_request_is_manifest(req))
		*why = ask_refuse_several(limen_request_document(req));
	/* Hints of the options are for questions without hints. */
	if (*why == NULL && limen_value_type(hints) <= LIMEN_TYPE_NULL)
		ask_set_hints(settings, req);
	if (*why != NULL) {
		limen_request_free(req);
		return false;
	}
	*out = case_of(req, &options);
	out->review = out->object && !limen_request_is_manifest(req);
	out->names_namespace = out->names_namespace || out->review ||
	                       limen_value_exists(limen_value_get(question, "namespace"));
	if (settings->as_received)
		limen_request_set_manifest(req, false);
	return true;
}
