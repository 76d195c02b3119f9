/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_record.c - reads a line of a log: limend's decision log, a Kubernetes audit log,
 * pScheduler tasks, or input of "limen check --batch".
 */
#include <limen/duration.h>
#include <string.h>

#include "ask/case.h"
#include "cli/auto.h"
#include "policy/policy.h"
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
replay_note(replay_record *record, bool lost, replay_loss loss)
{
	if (lost)
		record->losses |= 1U << loss;
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
find_kind(replay_record *record, replay_envelope *envelope)
{
	limen_value shown = limen_value_exists(envelope->object) ? envelope->object : envelope->old;
	const char *api = replay_text(record, shown, "apiVersion");
	const char *slash = api == NULL ? NULL : strchr(api, '/');
	char *group = slash == NULL ? NULL : g_strndup(api, (size_t)(slash - api));
	const char **fields = envelope->fields;

	if (fields[LIMEN_FIELD_RESOURCE_GROUP] == NULL)
		fields[LIMEN_FIELD_RESOURCE_GROUP] = "";
	fields[LIMEN_FIELD_KIND] = replay_text(record, shown, "kind");
	fields[LIMEN_FIELD_GROUP] = group != NULL ? group
	                            : api != NULL ? ""
	                                          : fields[LIMEN_FIELD_RESOURCE_GROUP];
	fields[LIMEN_FIELD_VERSION] = slash != NULL ? slash + 1
	                              : api != NULL ? api
	                                            : fields[LIMEN_FIELD_RESOURCE_VERSION];
	return group;
}

void
replay_make_object(replay_record *record, replay_envelope *envelope)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_value none = limen_value_none();
	g_autofree char *group = find_kind(record, envelope);
	int result = LIMEN_OK;

	if (envelope->requester != NULL)
		result |= limen_request_set_hint(req, "requester", envelope->requester);
	for (int i = 0; i <= LIMEN_FIELD_SUBRESOURCE; i++)
		if (envelope->fields[i] != NULL)
			result |= limen_request_set_field(req, (limen_field)i, envelope->fields[i]);
	result |= limen_request_claim(req, none, none, envelope->groups, NULL);
	if (limen_value_type(envelope->hints) == LIMEN_TYPE_OBJECT)
		result |= limen_request_set_hints(req, envelope->hints);
	if (limen_value_exists(envelope->object))
		result |= limen_request_set_document(req, envelope->object);
	if (limen_value_exists(envelope->old))
		result |= limen_request_set_old(req, envelope->old);
	limen_request_set_manifest(req, envelope->manifest);
	limen_request_set_dry_run(req, envelope->dry_run);
	finish(record, req, result);
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
	else
		replay_note(record, record->skip == SKIP_NOT, LOSS_REQUESTER);
	return finish(record, req, result);
}

/* ---- questions and reviews ---- */

/* Reads a line of "limen check --batch" or a question to limend. */
static void
read_question(replay_record *record, limen_value line)
{
	const ask_settings defaults = { .subject = ASK_TASK,
		                        .decide = { .size = sizeof(defaults.decide) } };
	ask_case item;

	replay_note(record, !replay_time(line, "time", &record->time), LOSS_TIME);
	if (!case_read_question(&defaults, line, &item, &record->excerpt)) {
		record->skip = SKIP_INVALID;
		return;
	}
	record->request = item.request;
	record->options.rewrite = item.options.rewrite;
	record->options.prioritize = item.options.prioritize;
	replay_note(record,
	            limen_request_subject(record->request) == LIMEN_SUBJECT_TASK &&
	                    limen_value_type(limen_value_get(line, "hints")) != LIMEN_TYPE_OBJECT,
	            LOSS_REQUESTER);
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
	g_autoptr(limen_diag) diag = policy_diag();

	replay_note(record, true, LOSS_TIME);
	record->request = ask_read(&settings, line, diag, &record->excerpt);
	if (record->request == NULL)
		record->skip = SKIP_INVALID;
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
	else if (replay_make_task(record, line, limen_value_get(detail, "hints"), NULL))
		replay_note(record, !replay_time(detail, "added", &record->time), LOSS_TIME);
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
