/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_logged.c - reads lines of limend's decision log (docs/decision-log.md).
 */
#include <string.h>

#include "ask/ask.h"
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

static void
note_loss(replay_record *record, bool lost, replay_loss what)
{
	if (lost)
		record->losses |= 1U << what;
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

/* Splits 'joined' at "/" and writes the unescaped pieces under 'keys'. */
static void
put_pieces(GString *out, const char *joined, const char *const *keys, size_t count)
{
	char **pieces = g_strsplit(joined == NULL ? "" : joined, "/", (gint)count);

	for (size_t i = 0; i < count && pieces[i] != NULL; i++) {
		char *plain = g_uri_unescape_string(pieces[i], NULL);

		if (pieces[i][0] != '\0') {
			json_key(out, keys[i]);
			json_string(out, plain == NULL ? pieces[i] : plain);
		}
		g_free(plain);
	}
	g_strfreev(pieces);
}

/* Writes the source, the reporter and the object of the event. */
static void
put_origin(replay_record *record, limen_value event, bool is_new, GString *out)
{
	static const char *const source_keys[] = { "component", "host" };
	static const char *const object_keys[] = { "kind", "namespace", "name", "uid",
		                                   "apiVersion" };
	const char *const reporter_keys[] = {
		is_new ? "reportingController" : "reportingComponent", "reportingInstance"
	};

	put_pieces(out, replay_text(record, event, "reporter"), reporter_keys,
	           G_N_ELEMENTS(reporter_keys));
	json_write(out, is_new ? "deprecatedSource:{" : "source:{");
	put_pieces(out, replay_text(record, event, "source"), source_keys,
	           G_N_ELEMENTS(source_keys));
	json_write(out, is_new ? "}regarding:{" : "}involvedObject:{");
	put_pieces(out, replay_text(record, event, "object"), object_keys,
	           G_N_ELEMENTS(object_keys));
	json_write(out, "}");
}

/*
 * Builds an Event with the same bucket keys from the logged fields.  A hashed name still
 * differs from other names.
 */
static bool
make_event(replay_record *record, limen_value line, replay_envelope *what,
           limen_documents **made)
{
	limen_value event = limen_value_get(line, "event");
	const char *object = replay_text(record, event, "object");
	bool is_new = g_strcmp0(what->fields[LIMEN_FIELD_RESOURCE_GROUP], EVENT_GROUP) == 0;
	GString *out = g_string_sized_new(512);
	bool good;

	note_loss(record, object == NULL, LOSS_EVENT);
	note_loss(record, is_hashed(object), LOSS_HASHED_NAME);
	json_write(out, "{apiVersion:s kind:s type:s reason:s metadata:{namespace:s name:s}",
	           is_new ? EVENT_GROUP "/v1" : "v1", "Event", replay_text(record, event, "type"),
	           replay_text(record, event, "reason"), what->fields[LIMEN_FIELD_NAMESPACE],
	           what->fields[LIMEN_FIELD_NAME]);
	put_origin(record, event, is_new, out);
	json_write(out, "}");
	good = limen_documents_parse("event.json", out->str, out->len, 0, made, NULL) == LIMEN_OK;
	if (good)
		what->object = limen_documents_get(*made, 0);
	g_string_free(out, TRUE);
	return good;
}

/* ---- objects ---- */

static void
note_losses(replay_record *record, const replay_envelope *what)
{
	const char *const *fields = what->fields;
	const char *user = fields[LIMEN_FIELD_USER];
	const char *namespace = fields[LIMEN_FIELD_NAMESPACE];
	const char *name = fields[LIMEN_FIELD_NAME];
	const char *texts[] = { user, namespace, name, what->requester };

	note_loss(record, user == NULL, LOSS_USER);
	note_loss(record, is_hashed(user), LOSS_HASHED_USER);
	note_loss(record, is_hashed(namespace), LOSS_HASHED_NAMESPACE);
	note_loss(record, is_hashed(name) || is_hashed(fields[LIMEN_FIELD_GENERATE_NAME]),
	          LOSS_HASHED_NAME);
	note_loss(record, is_hashed(what->requester), LOSS_HASHED_REQUESTER);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		note_loss(record,
		          texts[i] != NULL && strlen(texts[i]) >= TEXT_BYTES_MAX &&
		                  g_str_has_suffix(texts[i], "..."),
		          LOSS_CUT);
}

/* Makes the object if the log has none: events are rebuilt, and a deletion needs none. */
static void
complete_object(replay_record *record, limen_value line, replay_envelope *what,
                limen_documents **made)
{
	if (limen_value_exists(what->object))
		return;
	if (g_strcmp0(what->fields[LIMEN_FIELD_RESOURCE], "events") == 0) {
		if (!make_event(record, line, what, made))
			record->skip = SKIP_INVALID;
	} else if (g_strcmp0(what->fields[LIMEN_FIELD_OPERATION], "DELETE") != 0) {
		record->skip = SKIP_DOCUMENT;
	}
}

static void
read_object(replay_record *record, limen_value line, const char *endpoint)
{
	limen_documents *made = NULL;
	replay_envelope what = {
		.fields = {
			[LIMEN_FIELD_UID] = replay_text(record, line, "uid"),
			[LIMEN_FIELD_USER] = replay_text(record, line, "user"),
			[LIMEN_FIELD_OPERATION] = replay_text(record, line, "operation"),
			[LIMEN_FIELD_NAMESPACE] = replay_text(record, line, "namespace"),
			[LIMEN_FIELD_NAME] = replay_text(record, line, "name"),
			[LIMEN_FIELD_GENERATE_NAME] = replay_text(record, line, "generate_name"),
			[LIMEN_FIELD_RESOURCE_GROUP] = replay_text(record, line, "api_group"),
			[LIMEN_FIELD_RESOURCE_VERSION] = "v1",
			[LIMEN_FIELD_RESOURCE] = replay_text(record, line, "resource"),
			[LIMEN_FIELD_SUBRESOURCE] = replay_text(record, line, "subresource"),
		},
		.requester = replay_text(record, line, "requester"),
		.groups = limen_value_get(line, "groups"),
		.hints = limen_value_get(line, "hints"),
		.object = limen_value_get(line, "document"),
		.old = limen_value_get(line, "old_document"),
	};

	/* Requests at other endpoints did not come from an API server, so they are manifests. */
	what.manifest = !g_str_has_prefix(endpoint, "/admission/");
	limen_value_bool(limen_value_get(line, "dry_run"), &what.dry_run);
	note_losses(record, &what);
	if (record->skip != SKIP_NOT)
		return;
	complete_object(record, line, &what, &made);
	note_loss(record,
	          !limen_value_exists(what.old) && record->skip == SKIP_NOT &&
	                  (g_strcmp0(what.fields[LIMEN_FIELD_OPERATION], "UPDATE") == 0 ||
	                   g_strcmp0(what.fields[LIMEN_FIELD_OPERATION], "DELETE") == 0),
	          LOSS_OLD);
	if (record->skip == SKIP_NOT)
		replay_make_object(record, &what);
	limen_documents_free(made);
}

/* ---- lines ---- */

void
replay_read_logged(replay_record *record, limen_value line)
{
	limen_value task = limen_value_get(line, "document");
	const char *endpoint = replay_text(record, line, "endpoint");

	read_outcome(record, line);
	if (g_strcmp0(endpoint, "/admission/mutate") == 0)
		record->options.phase = LIMEN_PHASE_MUTATE;
	else if (g_strcmp0(endpoint, "/admission/validate") == 0)
		record->options.phase = LIMEN_PHASE_VALIDATE;
	note_loss(record, !replay_time(line, "time", &record->time), LOSS_TIME);
	if (!limen_value_is(limen_value_get(line, "subject"), "task")) {
		read_object(record, line, endpoint == NULL ? "" : endpoint);
	} else if (!limen_value_exists(task)) {
		record->skip = SKIP_DOCUMENT;
	} else {
		const char *requester = replay_text(record, line, "requester");

		note_loss(record, is_hashed(requester), LOSS_HASHED_REQUESTER);
		if (!replay_make_task(record, task, limen_value_get(line, "hints"), requester))
			return;
		record->options.rewrite = ask_read_switch(limen_value_get(line, "rewrite"));
		record->options.prioritize = ask_read_switch(limen_value_get(line, "prioritize"));
		limen_request_set_dry_run(record->request,
		                          ask_read_switch(limen_value_get(line, "dry_run")) ==
		                                  LIMEN_SWITCH_ON);
	}
}
