/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_record.c - reads a line of a log: limend's decision log (docs/decision-log.md), a
 * Kubernetes audit log (audit.k8s.io/v1 Event), pScheduler tasks, or input of "limen check
 * --batch".  The object in an audit log is what the client sent, before the API server set defaults
 * and before admission, so it is decided like a manifest.
 */
#include <limen/duration.h>
#include <string.h>

#include "ask/case.h"
#include "common/auto.h"
#include "common/event_origin.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "replay.h"

/* Bytes shown of an unreadable line. */
#define EXCERPT_MAX 80

/*
 * Returns the text of 'value'; NULL for other types.  A text with a NUL makes the line invalid,
 * as in a review: the part before the NUL may be another name.
 */
static const char *
plain_text(replay_record *record, limen_value value)
{
	const char *text;

	if (case_text(value, &text))
		return text;
	record->skip = SKIP_INVALID;
	return NULL;
}

static const char *
text_of(replay_record *record, limen_value object, const char *key)
{
	return plain_text(record, limen_value_get(object, key));
}

/* Reads the time of a line; returns false if it is missing or invalid. */
static bool
read_time(limen_value object, const char *key, limen_time *out)
{
	return ask_read_time(limen_value_get(object, key), out);
}

/* Notes that information is missing, if it is 'lost'. */
static void
note(replay_record *record, bool lost, replay_loss loss)
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

/* Makes the request, unless the line is skipped.  Returns false if that fails. */
static bool
make(replay_record *record, ask_subject subject, const case_envelope *envelope)
{
	if (record->skip == SKIP_NOT)
		record->request = case_make(subject, envelope);
	if (record->request == NULL)
		record->skip = SKIP_INVALID;
	return record->request != NULL;
}

/* As make(), for a task. */
static bool
make_task(replay_record *record, case_envelope *envelope)
{
	bool hinted = limen_value_type(envelope->hints) == LIMEN_TYPE_OBJECT;

	note(record, record->skip == SKIP_NOT && !hinted && envelope->requester == NULL,
	     LOSS_REQUESTER);
	if (hinted)
		envelope->requester = NULL;
	return make(record, ASK_TASK, envelope);
}

/* ---- questions and reviews ---- */

/* Reads a line of "limen check --batch" or a question to limend. */
static void
read_question(replay_record *record, limen_value line)
{
	const ask_settings defaults = { .subject = ASK_TASK,
		                        .decide = { .size = sizeof(defaults.decide) } };
	ask_case item;

	note(record, !read_time(line, "time", &record->time), LOSS_TIME);
	if (!case_read_question(&defaults, line, &item, &record->excerpt)) {
		record->skip = SKIP_INVALID;
		return;
	}
	record->request = item.request;
	record->options.rewrite = item.options.rewrite;
	record->options.prioritize = item.options.prioritize;
	note(record,
	     limen_request_subject(record->request) == LIMEN_SUBJECT_TASK &&
	             limen_value_type(limen_value_get(line, "hints")) != LIMEN_TYPE_OBJECT,
	     LOSS_REQUESTER);
}

static bool
is_question(limen_value line)
{
	static const char *const keys[] = { "task", "object", "oldObject", "http", "request" };

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

	note(record, true, LOSS_TIME);
	record->request = ask_read(&settings, line, diag, &record->excerpt);
	if (record->request == NULL)
		record->skip = SKIP_INVALID;
}

/* ---- the decision log ---- */

/* Size at which the log cuts texts; a cut text ends in "...". */
#define TEXT_BYTES_MAX 1024

static bool
is_hashed(const char *text)
{
	return text != NULL && g_str_has_prefix(text, "hash:");
}

static bool
is_logged(limen_value line)
{
	return limen_value_exists(limen_value_get(line, "verdict")) &&
	       limen_value_exists(limen_value_get(line, "endpoint"));
}

static void
read_verdict(replay_record *record, limen_value line)
{
	int64_t code = 0;
	int64_t warnings = 0;

	limen_value_int(limen_value_get(line, "code"), &code);
	limen_value_int(limen_value_get(line, "warnings"), &warnings);
	record->has_recorded = true;
	record->recorded = (replay_outcome){
		.code = code >= 100 && code <= 599 ? (int)code : 500,
		.admitted = limen_value_is(limen_value_get(line, "verdict"), "admitted"),
		.entry = text_of(record, line, "entry"),
		.reason = text_of(record, line, "reason"),
		.warnings = warnings,
	};
}

/* Writes the object 'name': 'joined' is split at "/", and its unescaped pieces are under 'keys'. */
static void
put_pieces(GString *out, const char *name, const char *joined, const char *const *keys,
           size_t count)
{
	g_auto(GStrv) pieces = g_strsplit(joined == NULL ? "" : joined, "/", (gint)count);

	if (name != NULL)
		json_write(out, "@:{", name);
	for (size_t i = 0; i < count && pieces[i] != NULL; i++) {
		g_autofree char *plain = g_uri_unescape_string(pieces[i], NULL);

		if (pieces[i][0] != '\0')
			json_write(out, "@:s", keys[i], plain == NULL ? pieces[i] : plain);
	}
	json_write(out, name == NULL ? "" : "}");
}

/*
 * Builds an Event with the same bucket keys from the logged fields.  A hashed name still
 * differs from other names.
 */
static bool
make_event(replay_record *record, limen_value line, case_envelope *envelope,
           limen_documents **owner)
{
	static const char *const source_keys[] = { "component", "host" };
	static const char *const object_keys[] = { "kind", "namespace", "name", "uid",
		                                   "apiVersion" };
	const char *const *fields = envelope->fields;
	limen_value event = limen_value_get(line, "event");
	const char *object = text_of(record, event, "object");
	bool is_new = g_strcmp0(fields[LIMEN_FIELD_RESOURCE_GROUP], EVENT_GROUP) == 0;
	const char *const reporter_keys[] = {
		is_new ? "reportingController" : "reportingComponent", "reportingInstance"
	};
	g_autoptr(GString) out = g_string_sized_new(512);

	note(record, object == NULL, LOSS_EVENT);
	note(record, is_hashed(object), LOSS_HASHED_NAME);
	json_write(out, "{apiVersion:s kind:s type:s reason:s metadata:{namespace:s name:s}",
	           is_new ? EVENT_GROUP "/v1" : "v1", "Event", text_of(record, event, "type"),
	           text_of(record, event, "reason"), fields[LIMEN_FIELD_NAMESPACE],
	           fields[LIMEN_FIELD_NAME]);
	put_pieces(out, NULL, text_of(record, event, "reporter"), reporter_keys, 2);
	put_pieces(out, is_new ? "deprecatedSource" : "source",
	           text_of(record, event, "source"), source_keys, 2);
	put_pieces(out, is_new ? "regarding" : "involvedObject", object, object_keys,
	           G_N_ELEMENTS(object_keys));
	json_write(out, "}");
	if (limen_documents_parse("event.json", out->str, out->len, 0, owner, NULL) != LIMEN_OK)
		return false;
	envelope->document = limen_documents_get(*owner, 0);
	return true;
}

static void
note_losses(replay_record *record, const case_envelope *envelope)
{
	const char *const *fields = envelope->fields;
	const char *texts[] = { fields[LIMEN_FIELD_USER], fields[LIMEN_FIELD_NAMESPACE],
		                fields[LIMEN_FIELD_NAME], envelope->requester,
		                fields[LIMEN_FIELD_GENERATE_NAME] };
	static const replay_loss losses[] = { LOSS_HASHED_USER, LOSS_HASHED_NAMESPACE,
		                              LOSS_HASHED_NAME, LOSS_HASHED_REQUESTER,
		                              LOSS_HASHED_NAME };

	note(record, texts[0] == NULL, LOSS_USER);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		note(record, is_hashed(texts[i]), losses[i]);
		note(record,
		     texts[i] != NULL && i < 4 && strlen(texts[i]) >= TEXT_BYTES_MAX &&
		             g_str_has_suffix(texts[i], "..."), LOSS_CUT);
	}
}

static void
read_logged_object(replay_record *record, limen_value line, const char *endpoint)
{
	g_autoptr(limen_documents) owner = NULL;
	const char *operation = text_of(record, line, "operation");
	const char *resource = text_of(record, line, "resource");
	case_envelope envelope = {
		.fields = {
			[LIMEN_FIELD_UID] = text_of(record, line, "uid"),
			[LIMEN_FIELD_USER] = text_of(record, line, "user"),
			[LIMEN_FIELD_OPERATION] = operation,
			[LIMEN_FIELD_NAMESPACE] = text_of(record, line, "namespace"),
			[LIMEN_FIELD_NAME] = text_of(record, line, "name"),
			[LIMEN_FIELD_GENERATE_NAME] = text_of(record, line, "generate_name"),
			[LIMEN_FIELD_RESOURCE_GROUP] = text_of(record, line, "api_group"),
			[LIMEN_FIELD_RESOURCE_VERSION] = "v1",
			[LIMEN_FIELD_RESOURCE] = resource,
			[LIMEN_FIELD_SUBRESOURCE] = text_of(record, line, "subresource"),
		},
		.requester = text_of(record, line, "requester"),
		.groups = limen_value_get(line, "groups"),
		.hints = limen_value_get(line, "hints"),
		.document = limen_value_get(line, "document"),
		.old = limen_value_get(line, "old_document"),
		/* Requests at other endpoints did not come from an API server. */
		.manifest = !g_str_has_prefix(endpoint, "/admission/"),
	};
	bool deletes = g_strcmp0(operation, "DELETE") == 0;

	limen_value_bool(limen_value_get(line, "dry_run"), &envelope.dry_run);
	note_losses(record, &envelope);
	if (record->skip != SKIP_NOT)
		return;
	/* Events are rebuilt, and a deletion needs no object. */
	if (!limen_value_exists(envelope.document)) {
		if (g_strcmp0(resource, "events") != 0)
			record->skip = deletes ? SKIP_NOT : SKIP_DOCUMENT;
		else if (!make_event(record, line, &envelope, &owner))
			record->skip = SKIP_INVALID;
	}
	if (record->skip != SKIP_NOT)
		return;
	note(record,
	     !limen_value_exists(envelope.old) &&
	             (deletes || g_strcmp0(operation, "UPDATE") == 0), LOSS_OLD);
	make(record, ASK_OBJECT, &envelope);
}

/* Reads a line about a task or an HTTP request, whose document is the member 'key'. */
static void
read_logged_request(replay_record *record, limen_value line, ask_subject subject, const char *key)
{
	case_envelope envelope = { .requester = text_of(record, line, "requester"),
		                   .hints = limen_value_get(line, "hints"),
		                   .document = limen_value_get(line, key) };

	if (!limen_value_exists(envelope.document)) {
		record->skip = SKIP_DOCUMENT;
		return;
	}
	note(record, is_hashed(envelope.requester), LOSS_HASHED_REQUESTER);
	limen_value_bool(limen_value_get(line, "dry_run"), &envelope.dry_run);
	if (subject != ASK_TASK) {
		make(record, subject, &envelope);
		return;
	}
	record->options.rewrite = ask_read_switch(limen_value_get(line, "rewrite"));
	record->options.prioritize = ask_read_switch(limen_value_get(line, "prioritize"));
	make_task(record, &envelope);
}

static void
read_logged(replay_record *record, limen_value line)
{
	const char *endpoint = text_of(record, line, "endpoint");
	ask_subject subject = case_find_subject(limen_value_get(line, "subject"));

	read_verdict(record, line);
	if (g_strcmp0(endpoint, "/admission/mutate") == 0)
		record->options.phase = LIMEN_PHASE_MUTATE;
	else if (g_strcmp0(endpoint, "/admission/validate") == 0)
		record->options.phase = LIMEN_PHASE_VALIDATE;
	else if (g_strcmp0(endpoint, "/admission/workloads") == 0)
		record->options.phase = LIMEN_PHASE_WORKLOAD;
	note(record, !read_time(line, "time", &record->time), LOSS_TIME);
	if (subject == ASK_HTTP)
		read_logged_request(record, line, subject, "http");
	else if (subject == ASK_TASK)
		read_logged_request(record, line, subject, "document");
	else
		read_logged_object(record, line, endpoint == NULL ? "" : endpoint);
}

/* ---- audit logs ---- */

/* Verbs, and their operations in admission. */
static const struct {
	const char *verb;
	const char *operation;
} verbs[] = {
	{ "create", "CREATE" },
	{ "update", "UPDATE" },
	{ "patch", "UPDATE" },
	{ "delete", "DELETE" },
};

/* Creating one of these subresources is a CONNECT to a pod, a service or a node. */
static const char *const connections[] = { "exec", "attach", "portforward", "proxy" };

static bool
is_audit(limen_value line)
{
	const char *api = limen_value_string(limen_value_get(line, "apiVersion"), NULL);

	return api != NULL && g_str_has_prefix(api, "audit.k8s.io/") &&
	       limen_value_is(limen_value_get(line, "kind"), "Event");
}

static const char *
operation_of(const char *verb, const char *subresource)
{
	for (size_t i = 0; subresource != NULL && i < G_N_ELEMENTS(connections); i++)
		if (strcmp(subresource, connections[i]) == 0)
			return "CONNECT";
	for (size_t i = 0; verb != NULL && i < G_N_ELEMENTS(verbs); i++)
		if (strcmp(verb, verbs[i].verb) == 0)
			return verbs[i].operation;
	return NULL;
}

/*
 * Reads the outcome from the HTTP status.  2xx means admitted; 403, 422 and 429 mean refused,
 * though others than admission use them, too.  Other statuses tell nothing about admission.
 */
static void
read_status(replay_record *record, limen_value line)
{
	limen_value status = limen_value_get(line, "responseStatus");
	limen_value message = limen_value_get(status, "message");
	int64_t code = 0;

	limen_value_int(limen_value_get(status, "code"), &code);
	if ((code < 200 || code > 299) && code != 403 && code != 422 && code != 429)
		return;
	record->has_recorded = true;
	/* The message names the object, so it cannot name a rule. */
	record->recorded = (replay_outcome){ .admitted = code < 300,
		                             .entry = "the API server",
		                             .reason = limen_value_string(message, NULL),
		                             .warnings = -1 };
}

/* Returns why the line was not subject to admission or cannot be decided. */
static replay_skip
find_skip(limen_value line, const char *verb, const char *operation)
{
	limen_value notes = limen_value_get(line, "annotations");
	limen_value stage = limen_value_get(line, "stage");

	if (g_strcmp0(verb, "deletecollection") == 0)
		return SKIP_COLLECTION;
	if (operation == NULL || !limen_value_exists(limen_value_get(line, "objectRef")))
		return SKIP_READ;
	if (limen_value_exists(stage) && !limen_value_is(stage, "ResponseComplete") &&
	    !limen_value_is(stage, "Panic"))
		return SKIP_STAGE;
	if (limen_value_is(limen_value_get(notes, "authorization.k8s.io/decision"), "forbid"))
		return SKIP_UNAUTHORIZED;
	return SKIP_NOT;
}

/* Returns the object that admission saw, or none with the skip reason in the record. */
static limen_value
find_object(replay_record *record, limen_value line, const char *verb, const char *operation)
{
	limen_value sent = limen_value_get(line, "requestObject");
	limen_value answered = limen_value_get(line, "responseObject");

	if (strcmp(operation, "DELETE") == 0)
		return limen_value_none();
	if (g_strcmp0(verb, "patch") == 0) {
		/* The response to a patch is the patched object, or a Status if it was refused. */
		if (limen_value_exists(answered) &&
		    !limen_value_is(limen_value_get(answered, "kind"), "Status"))
			return answered;
		record->skip = SKIP_PATCH;
	} else if (!limen_value_exists(sent)) {
		record->skip = SKIP_DOCUMENT;
	}
	return sent;
}

static bool
is_dry_run(replay_record *record, limen_value line)
{
	const char *uri = text_of(record, line, "requestURI");
	const char *query = uri == NULL ? NULL : strchr(uri, '?');

	return query != NULL && strstr(query, "dryRun=All") != NULL;
}

static void
read_request(replay_record *record, limen_value line, const char *verb, const char *operation)
{
	limen_value reference = limen_value_get(line, "objectRef");
	limen_value user = limen_value_get(line, "impersonatedUser");
	limen_value source = limen_value_at(limen_value_get(line, "sourceIPs"), 0);
	limen_value object = find_object(record, line, verb, operation);
	case_envelope envelope = {
		.fields = {
			[LIMEN_FIELD_UID] = text_of(record, line, "auditID"),
			[LIMEN_FIELD_OPERATION] = operation,
			[LIMEN_FIELD_NAMESPACE] = text_of(record, reference, "namespace"),
			[LIMEN_FIELD_NAME] = text_of(record, reference, "name"),
			[LIMEN_FIELD_GENERATE_NAME] = text_of(
				record, limen_value_get(object, "metadata"), "generateName"),
			[LIMEN_FIELD_RESOURCE_GROUP] = text_of(record, reference, "apiGroup"),
			[LIMEN_FIELD_RESOURCE_VERSION] =
				text_of(record, reference, "apiVersion"),
			[LIMEN_FIELD_RESOURCE] = text_of(record, reference, "resource"),
			[LIMEN_FIELD_SUBRESOURCE] = text_of(record, reference, "subresource"),
		},
		.requester = plain_text(record, source),
		.document = object,
		.manifest = g_strcmp0(verb, "patch") != 0,
		.dry_run = is_dry_run(record, line),
	};

	if (!limen_value_exists(user))
		user = limen_value_get(line, "user");
	envelope.fields[LIMEN_FIELD_USER] = text_of(record, user, "username");
	envelope.groups = limen_value_get(user, "groups");
	if (record->skip != SKIP_NOT)
		return;
	note(record, envelope.fields[LIMEN_FIELD_USER] == NULL, LOSS_USER);
	note(record, strcmp(operation, "UPDATE") == 0 || strcmp(operation, "DELETE") == 0,
	            LOSS_OLD);
	make(record, ASK_OBJECT, &envelope);
}

static void
read_audit(replay_record *record, limen_value line)
{
	limen_value reference = limen_value_get(line, "objectRef");
	const char *verb = text_of(record, line, "verb");
	const char *operation = operation_of(verb, text_of(record, reference, "subresource"));

	if (record->skip == SKIP_NOT)
		record->skip = find_skip(line, verb, operation);
	if (record->skip != SKIP_NOT)
		return;
	note(record,
	     !read_time(line, "requestReceivedTimestamp", &record->time) &&
	             !read_time(line, "stageTimestamp", &record->time), LOSS_TIME);
	read_status(record, line);
	read_request(record, line, verb, operation);
}

/* ---- lines ---- */

/* Parses lines "  NAME: VALUE" after "Hints:", with which pScheduler's diagnostics begin. */
static limen_documents *
read_diags(const char *diags)
{
	g_auto(GStrv) lines = g_strsplit(diags, "\n", -1);
	g_autoptr(GString) out = g_string_new(NULL);
	limen_documents *parsed = NULL;
	char *value;

	if (g_strcmp0(lines[0], "Hints:") != 0)
		return NULL;
	json_write(out, "{");
	for (size_t i = 1; lines[i] != NULL && lines[i][0] == ' ' &&
	                   (value = strstr(lines[i], ": ")) != NULL; i++) {
		*value = '\0';
		json_write(out, "@:s", g_strchug(lines[i]), value + 2);
	}
	json_write(out, "}");
	limen_documents_parse("hints.json", out->str, out->len, 0, &parsed, NULL);
	return parsed;
}

/* Reads a task that pScheduler admitted: it stores no others, and adds "detail" to each. */
static void
read_task(replay_record *record, limen_value line)
{
	limen_value detail = limen_value_get(line, "detail");
	case_envelope task = { .document = line, .hints = limen_value_get(detail, "hints") };
	const char *diags = text_of(record, detail, "diags");
	g_autoptr(limen_documents) hints = NULL;

	if (diags != NULL) {
		record->has_recorded = true;
		record->recorded = (replay_outcome){ .code = 200, .admitted = true,
			                             .entry = "pScheduler", .warnings = -1 };
		if (!limen_value_exists(task.hints) && (hints = read_diags(diags)) != NULL)
			task.hints = limen_documents_get(hints, 0);
	}
	if (make_task(record, &task))
		note(record, !read_time(detail, "added", &record->time), LOSS_TIME);
}

static void
read_line(replay_record *record, limen_value line)
{
	if (limen_value_type(line) != LIMEN_TYPE_OBJECT)
		record->skip = SKIP_MALFORMED;
	else if (is_logged(line))
		read_logged(record, line);
	else if (is_audit(line))
		read_audit(record, line);
	else if (limen_review_is(line))
		read_review(record, line);
	else if (is_question(line))
		read_question(record, line);
	else if (limen_value_type(limen_value_get(line, "test")) != LIMEN_TYPE_OBJECT)
		record->skip = SKIP_UNKNOWN;
	else
		read_task(record, line);
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
