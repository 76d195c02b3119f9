/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_logged.c - reads lines of limend's decision log (docs/decision-log.md).
 */
#include <string.h>

#include "ask/ask.h"
#include "cli/auto.h"
#include "common/event_origin.h"
#include "common/json_out.h"
#include "replay.h"

/* Size at which the log cuts texts; a cut text ends in "...". */
#define TEXT_BYTES_MAX 1024

static bool
is_hashed(const char *text)
{
	return text != NULL && g_str_has_prefix(text, "hash:");
}

bool
replay_is_logged(limen_value line)
{
	return limen_value_exists(limen_value_get(line, "verdict")) &&
	       limen_value_exists(limen_value_get(line, "endpoint"));
}

static void
read_outcome(replay_record *record, limen_value line)
{
	int64_t code = 0;
	int64_t warnings = 0;

	limen_value_int(limen_value_get(line, "code"), &code);
	limen_value_int(limen_value_get(line, "warnings"), &warnings);
	record->has_recorded = true;
	record->recorded = (replay_outcome){
		.code = code >= 100 && code <= 599 ? (int)code : 500,
		.admitted = limen_value_is(limen_value_get(line, "verdict"), "admitted"),
		.entry = replay_text(record, line, "entry"),
		.reason = replay_text(record, line, "reason"),
		.warnings = warnings,
	};
}

/* ---- events ---- */

/* Writes the object 'name': 'joined' is split at "/", and its unescaped pieces are under 'keys'. */
static void
put_pieces(GString *out, const char *name, const char *joined, const char *const *keys,
           size_t count)
{
	g_auto(GStrv) pieces = g_strsplit(joined == NULL ? "" : joined, "/", (gint)count);

	if (name != NULL) {
		json_key(out, name);
		json_write(out, "{");
	}
	for (size_t i = 0; i < count && pieces[i] != NULL; i++) {
		g_autofree char *plain = g_uri_unescape_string(pieces[i], NULL);

		if (pieces[i][0] == '\0')
			continue;
		json_key(out, keys[i]);
		json_string(out, plain == NULL ? pieces[i] : plain);
	}
	json_write(out, name == NULL ? "" : "}");
}

/*
 * Builds an Event with the same bucket keys from the logged fields.  A hashed name still
 * differs from other names.
 */
static bool
make_event(replay_record *record, limen_value line, replay_envelope *envelope,
           limen_documents **owner)
{
	static const char *const source_keys[] = { "component", "host" };
	static const char *const object_keys[] = { "kind", "namespace", "name", "uid",
		                                   "apiVersion" };
	const char *const *fields = envelope->fields;
	limen_value event = limen_value_get(line, "event");
	const char *object = replay_text(record, event, "object");
	bool is_new = g_strcmp0(fields[LIMEN_FIELD_RESOURCE_GROUP], EVENT_GROUP) == 0;
	const char *const reporter_keys[] = {
		is_new ? "reportingController" : "reportingComponent", "reportingInstance"
	};
	g_autoptr(GString) out = g_string_sized_new(512);

	replay_note(record, object == NULL, LOSS_EVENT);
	replay_note(record, is_hashed(object), LOSS_HASHED_NAME);
	json_write(out, "{apiVersion:s kind:s type:s reason:s metadata:{namespace:s name:s}",
	           is_new ? EVENT_GROUP "/v1" : "v1", "Event", replay_text(record, event, "type"),
	           replay_text(record, event, "reason"), fields[LIMEN_FIELD_NAMESPACE],
	           fields[LIMEN_FIELD_NAME]);
	put_pieces(out, NULL, replay_text(record, event, "reporter"), reporter_keys, 2);
	put_pieces(out, is_new ? "deprecatedSource" : "source",
	           replay_text(record, event, "source"), source_keys, 2);
	put_pieces(out, is_new ? "regarding" : "involvedObject", object, object_keys,
	           G_N_ELEMENTS(object_keys));
	json_write(out, "}");
	if (limen_documents_parse("event.json", out->str, out->len, 0, owner, NULL) != LIMEN_OK)
		return false;
	envelope->object = limen_documents_get(*owner, 0);
	return true;
}

/* ---- objects ---- */

static void
note_losses(replay_record *record, const replay_envelope *envelope)
{
	const char *const *fields = envelope->fields;
	const char *texts[] = { fields[LIMEN_FIELD_USER], fields[LIMEN_FIELD_NAMESPACE],
		                fields[LIMEN_FIELD_NAME], envelope->requester,
		                fields[LIMEN_FIELD_GENERATE_NAME] };
	static const replay_loss losses[] = { LOSS_HASHED_USER, LOSS_HASHED_NAMESPACE,
		                              LOSS_HASHED_NAME, LOSS_HASHED_REQUESTER,
		                              LOSS_HASHED_NAME };

	replay_note(record, texts[0] == NULL, LOSS_USER);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		replay_note(record, is_hashed(texts[i]), losses[i]);
		replay_note(record,
		            texts[i] != NULL && i < 4 && strlen(texts[i]) >= TEXT_BYTES_MAX &&
		                    g_str_has_suffix(texts[i], "..."),
		            LOSS_CUT);
	}
}

static void
read_object(replay_record *record, limen_value line, const char *endpoint)
{
	g_autoptr(limen_documents) owner = NULL;
	const char *operation = replay_text(record, line, "operation");
	const char *resource = replay_text(record, line, "resource");
	replay_envelope envelope = {
		.fields = {
			[LIMEN_FIELD_UID] = replay_text(record, line, "uid"),
			[LIMEN_FIELD_USER] = replay_text(record, line, "user"),
			[LIMEN_FIELD_OPERATION] = operation,
			[LIMEN_FIELD_NAMESPACE] = replay_text(record, line, "namespace"),
			[LIMEN_FIELD_NAME] = replay_text(record, line, "name"),
			[LIMEN_FIELD_GENERATE_NAME] = replay_text(record, line, "generate_name"),
			[LIMEN_FIELD_RESOURCE_GROUP] = replay_text(record, line, "api_group"),
			[LIMEN_FIELD_RESOURCE_VERSION] = "v1",
			[LIMEN_FIELD_RESOURCE] = resource,
			[LIMEN_FIELD_SUBRESOURCE] = replay_text(record, line, "subresource"),
		},
		.requester = replay_text(record, line, "requester"),
		.groups = limen_value_get(line, "groups"),
		.hints = limen_value_get(line, "hints"),
		.object = limen_value_get(line, "document"),
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
	if (limen_value_exists(envelope.object))
		record->skip = SKIP_NOT;
	else if (g_strcmp0(resource, "events") == 0)
		record->skip = make_event(record, line, &envelope, &owner) ? record->skip
		                                                           : SKIP_INVALID;
	else if (!deletes)
		record->skip = SKIP_DOCUMENT;
	if (record->skip != SKIP_NOT)
		return;
	replay_note(record,
	            !limen_value_exists(envelope.old) &&
	                    (deletes || g_strcmp0(operation, "UPDATE") == 0),
	            LOSS_OLD);
	replay_make_object(record, &envelope);
}

/* ---- lines ---- */

static void
read_task(replay_record *record, limen_value line)
{
	const char *requester = replay_text(record, line, "requester");
	bool dry_run = false;

	replay_note(record, is_hashed(requester), LOSS_HASHED_REQUESTER);
	if (!replay_make_task(record, limen_value_get(line, "document"),
	                      limen_value_get(line, "hints"), requester))
		return;
	record->options.rewrite = ask_read_switch(limen_value_get(line, "rewrite"));
	record->options.prioritize = ask_read_switch(limen_value_get(line, "prioritize"));
	limen_value_bool(limen_value_get(line, "dry_run"), &dry_run);
	limen_request_set_dry_run(record->request, dry_run);
}

void
replay_read_logged(replay_record *record, limen_value line)
{
	const char *endpoint = replay_text(record, line, "endpoint");

	read_outcome(record, line);
	if (g_strcmp0(endpoint, "/admission/mutate") == 0)
		record->options.phase = LIMEN_PHASE_MUTATE;
	else if (g_strcmp0(endpoint, "/admission/validate") == 0)
		record->options.phase = LIMEN_PHASE_VALIDATE;
	replay_note(record, !replay_time(line, "time", &record->time), LOSS_TIME);
	if (!limen_value_is(limen_value_get(line, "subject"), "task"))
		read_object(record, line, endpoint == NULL ? "" : endpoint);
	else if (limen_value_exists(limen_value_get(line, "document")))
		read_task(record, line);
	else
		record->skip = SKIP_DOCUMENT;
}
