/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_audit.c - reads lines of a Kubernetes audit log (audit.k8s.io/v1 Event).
 *
 * The logged object is what the client sent, before the API server set defaults and before
 * admission, so it is decided like a manifest.
 */
#include <string.h>

#include "replay.h"

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

bool
replay_is_audit(limen_value line)
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
read_outcome(replay_record *record, limen_value line)
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
	const char *uri = replay_text(record, line, "requestURI");
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
	replay_envelope envelope = {
		.fields = {
			[LIMEN_FIELD_UID] = replay_text(record, line, "auditID"),
			[LIMEN_FIELD_OPERATION] = operation,
			[LIMEN_FIELD_NAMESPACE] = replay_text(record, reference, "namespace"),
			[LIMEN_FIELD_NAME] = replay_text(record, reference, "name"),
			[LIMEN_FIELD_GENERATE_NAME] = replay_text(
				record, limen_value_get(object, "metadata"), "generateName"),
			[LIMEN_FIELD_RESOURCE_GROUP] = replay_text(record, reference, "apiGroup"),
			[LIMEN_FIELD_RESOURCE_VERSION] =
				replay_text(record, reference, "apiVersion"),
			[LIMEN_FIELD_RESOURCE] = replay_text(record, reference, "resource"),
			[LIMEN_FIELD_SUBRESOURCE] = replay_text(record, reference, "subresource"),
		},
		.requester = replay_plain(record, source),
		.object = object,
		.manifest = g_strcmp0(verb, "patch") != 0,
		.dry_run = is_dry_run(record, line),
	};

	if (!limen_value_exists(user))
		user = limen_value_get(line, "user");
	envelope.fields[LIMEN_FIELD_USER] = replay_text(record, user, "username");
	envelope.groups = limen_value_get(user, "groups");
	if (record->skip != SKIP_NOT)
		return;
	replay_note(record, envelope.fields[LIMEN_FIELD_USER] == NULL, LOSS_USER);
	replay_note(record, strcmp(operation, "UPDATE") == 0 || strcmp(operation, "DELETE") == 0,
	            LOSS_OLD);
	replay_make_object(record, &envelope);
}

void
replay_read_audit(replay_record *record, limen_value line)
{
	limen_value reference = limen_value_get(line, "objectRef");
	const char *verb = replay_text(record, line, "verb");
	const char *operation = operation_of(verb, replay_text(record, reference, "subresource"));

	if (record->skip == SKIP_NOT)
		record->skip = find_skip(line, verb, operation);
	if (record->skip != SKIP_NOT)
		return;
	replay_note(record,
	            !replay_time(line, "requestReceivedTimestamp", &record->time) &&
	                    !replay_time(line, "stageTimestamp", &record->time),
	            LOSS_TIME);
	read_outcome(record, line);
	read_request(record, line, verb, operation);
}
