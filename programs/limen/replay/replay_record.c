/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_record.c - reads a line of a log: limend's decision log, a Kubernetes audit log,
 * pScheduler tasks, or input of "limen check --batch".
 */
#include <limen/duration.h>
#include <string.h>

#include "ask/ask.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "replay.h"

/* Bytes shown of an unreadable line. */
#define EXCERPT_MAX 80

const char *
replay_plain(replay_record *record, limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (text == NULL || strlen(text) == length)
		return text;
	record->skip = SKIP_INVALID;
	return NULL;
}

const char *
replay_text(replay_record *record, limen_value object, const char *key)
{
	return replay_plain(record, limen_value_get(object, key));
}

bool
replay_time(limen_value object, const char *key, limen_time *out)
{
	return ask_read_time(limen_value_get(object, key), out);
}

void
replay_record_free(gpointer data)
{
	replay_record *record = data;

	limen_decision_free(record->decisions[0]);
	limen_decision_free(record->decisions[1]);
	limen_request_free(record->request);
	limen_documents_free(record->parsed);
	g_free(record->excerpt);
	g_free(record);
}

/* Ends the making of a request: 'result' is LIMEN_OK unless one of its calls failed. */
static bool
finish(replay_record *record, limen_request *req, int result)
{
	if (result == LIMEN_OK && record->skip == SKIP_NOT) {
		record->request = req;
		return true;
	}
	limen_request_free(req);
	record->skip = SKIP_INVALID;
	return false;
}

/* ---- objects ---- */

/*
 * Finds the kind of the document, and its group and version, which else are those of the
 * resource.  Returns the text of the group, to g_free(), or NULL.
 */
static char *
find_kind(replay_record *record, replay_envelope *what)
{
	limen_value shown = limen_value_exists(what->object) ? what->object : what->old;
	const char *api = replay_text(record, shown, "apiVersion");
	const char *slash = api == NULL ? NULL : strchr(api, '/');
	char *group = slash == NULL ? NULL : g_strndup(api, (size_t)(slash - api));
	const char **fields = what->fields;

	fields[LIMEN_FIELD_KIND] = replay_text(record, shown, "kind");
	fields[LIMEN_FIELD_GROUP] = group != NULL ? group
	                            : api != NULL ? ""
	                                          : fields[LIMEN_FIELD_RESOURCE_GROUP];
	fields[LIMEN_FIELD_VERSION] = slash != NULL ? slash + 1
	                              : api != NULL ? api
	                                            : fields[LIMEN_FIELD_RESOURCE_VERSION];
	if (fields[LIMEN_FIELD_RESOURCE_GROUP] == NULL)
		fields[LIMEN_FIELD_RESOURCE_GROUP] = "";
	return group;
}

void
replay_make_object(replay_record *record, replay_envelope *what)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_value none = limen_value_none();
	char *group = find_kind(record, what);
	int result = LIMEN_OK;

	if (what->requester != NULL)
		result |= limen_request_set_hint(req, "requester", what->requester);
	for (int i = 0; i <= LIMEN_FIELD_SUBRESOURCE; i++)
		if (what->fields[i] != NULL)
			result |= limen_request_set_field(req, (limen_field)i, what->fields[i]);
	result |= limen_request_claim(req, none, none, what->groups, NULL);
	if (limen_value_type(what->hints) == LIMEN_TYPE_OBJECT)
		result |= limen_request_set_hints(req, what->hints);
	if (limen_value_exists(what->object))
		result |= limen_request_set_document(req, what->object);
	if (limen_value_exists(what->old))
		result |= limen_request_set_old(req, what->old);
	if (finish(record, req, result)) {
		limen_request_set_manifest(req, what->manifest);
		limen_request_set_dry_run(req, what->dry_run);
	}
	g_free(group);
}

/* ---- tasks ---- */

bool
replay_make_task(replay_record *record, limen_value task, limen_value hints,
                 const char *requester)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	int result = limen_request_set_task(req, task);

	if (limen_value_type(hints) == LIMEN_TYPE_OBJECT)
		result |= limen_request_set_hints(req, hints);
	else if (requester != NULL)
		result |= limen_request_set_hint(req, "requester", requester);
	else if (record->skip == SKIP_NOT)
		record->losses |= 1U << LOSS_REQUESTER;
	return finish(record, req, result);
}

/* ---- questions and reviews ---- */

/* Reads a line of "limen check --batch" or a question to limend. */
static void
read_question(replay_record *record, limen_value line)
{
	const ask_settings defaults = { .subject = ASK_TASK };
	limen_decide_options said = { .size = sizeof(said) };

	if (!replay_time(line, "time", &record->time))
		record->losses |= 1U << LOSS_TIME;
	record->request = ask_read_question(&defaults, line, &said, &record->excerpt);
	if (record->request == NULL) {
		record->skip = SKIP_INVALID;
		return;
	}
	record->options.rewrite = said.rewrite;
	record->options.prioritize = said.prioritize;
	if (limen_request_subject(record->request) == LIMEN_SUBJECT_TASK &&
	    limen_value_type(limen_value_get(line, "hints")) != LIMEN_TYPE_OBJECT)
		record->losses |= 1U << LOSS_REQUESTER;
}

static bool
is_question(limen_value line)
{
	static const char *const keys[] = { "task", "object", "oldObject", "request" };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (limen_value_exists(limen_value_get(line, keys[i])))
			return true;
	return false;
}

static void
read_review(replay_record *record, limen_value line)
{
	const ask_settings settings = { .subject = ASK_OBJECT };
	limen_diag *diag = policy_diag();

	record->losses |= 1U << LOSS_TIME;
	record->request = ask_read(&settings, line, diag, &record->excerpt);
	if (record->request == NULL)
		record->skip = SKIP_INVALID;
	limen_diag_free(diag);
}

/* ---- lines ---- */

static void
read_line(replay_record *record, limen_value line)
{
	/* pScheduler adds its own information about a task in "detail". */
	limen_value detail = limen_value_get(line, "detail");

	if (limen_value_type(line) != LIMEN_TYPE_OBJECT)
		record->skip = SKIP_MALFORMED;
	else if (replay_is_logged(line))
		replay_read_logged(record, line);
	else if (replay_is_audit(line))
		replay_read_audit(record, line);
	else if (limen_review_is(line))
		read_review(record, line);
	else if (is_question(line))
		read_question(record, line);
	else if (limen_value_type(limen_value_get(line, "test")) != LIMEN_TYPE_OBJECT)
		record->skip = SKIP_UNKNOWN;
	else if (replay_make_task(record, line, limen_value_get(detail, "hints"), NULL) &&
	         !replay_time(detail, "added", &record->time))
		record->losses |= 1U << LOSS_TIME;
}

void
replay_record_read(replay_record *record, const char *text, limen_time otherwise)
{
	record->time = otherwise;
	record->options.size = sizeof(record->options);
	if (limen_documents_parse("line.json", text, record->length, 0, &record->parsed, NULL) !=
	    LIMEN_OK)
		record->skip = SKIP_MALFORMED;
	else
		read_line(record, limen_documents_get(record->parsed, 0));
	if (record->skip == SKIP_MALFORMED || record->skip == SKIP_UNKNOWN)
		record->excerpt = g_utf8_make_valid(text, (gssize)MIN(record->length, EXCERPT_MAX));
	if (record->request != NULL)
		limen_request_set_now(record->request, record->time);
}
