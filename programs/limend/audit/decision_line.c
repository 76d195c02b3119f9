/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_line.c - writes a decision as one JSON line of the decision log: request, event,
 * decision, and if configured the documents and what --messages=short keeps from requesters.  Cuts
 * long texts and lists, removes redacted parts or replaces them by keyed hashes (HMAC-SHA-256), and
 * omits the documents if they may contain a Secret.
 */
#include "decision_line.h"

#include <limen/builder.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "../common/auto.h"
#include "../common/controller.h"
#include "../common/event_origin.h"
#include "../common/json_out.h"
#include "../common/verdict_name.h"
#include "base/log.h"

#define DOCUMENT_BYTES_MAX ((size_t)256 << 10)

/* One line being written. */
typedef struct writer {
	GString *out;
	const line_rules *rules;
	const record *facts;
	size_t start; /* where "kept_back" begins */
	bool cut;     /* something was left out of it */
} writer;

/* ---- redacted parts ---- */

/* Hexadecimal digits of a hash that are shown: 64 bits make collisions of users unlikely. */
#define DIGITS 16

void
line_rules_set(line_rules *rules, const decision_log_options *options)
{
	static guint8 key[sizeof(rules->key)];
	static gsize made;

	/* The random key makes hashes comparable within one run and impossible to guess. */
	if (g_once_init_enter(&made)) {
		if (getrandom(key, sizeof(key), 0) != sizeof(key))
			g_error("there are no random numbers");
		g_once_init_leave(&made, 1);
	}
	*rules = (line_rules){ .removed = options->removed,
		               .hashed = options->hashed & ~options->removed,
		               .documents = options->documents,
		               .kept_back = options->kept_back };
	memcpy(rules->key, key, sizeof(key));
}

/* Writes the hash of 'text' into 'buffer' and returns that. */
static const char *
hash(const line_rules *rules, const char *text, char buffer[LINE_HASH_MAX])
{
	g_autofree char *digest = g_compute_hmac_for_data(G_CHECKSUM_SHA256, rules->key,
	                                                  sizeof(rules->key), (const guchar *)text,
	                                                  strlen(text));

	snprintf(buffer, LINE_HASH_MAX, "hash:%.*s", DIGITS, digest);
	return buffer;
}

const char *
line_redact(const line_rules *rules, redaction part, const char *text, char buffer[LINE_HASH_MAX])
{
	if (text == NULL || ((rules->removed | rules->hashed) & part) == 0)
		return text;
	return (rules->removed & part) != 0 ? NULL : hash(rules, text, buffer);
}

/*
 * Is any part removed or hashed?  Texts of modules are left out then, since they may quote any
 * part of the request.
 */
static bool
redacts(const line_rules *rules)
{
	return (rules->removed | rules->hashed) != 0;
}

const char *
line_redact_reason(const line_rules *rules, const char *reason, char buffer[LINE_HASH_MAX])
{
	if (reason != NULL && (rules->hashed & REDACT_REASON) != 0)
		return hash(rules, reason, buffer);
	return redacts(rules) ? NULL : reason;
}

/* ---- members ---- */

/* Adds a text member, cut to 'most' bytes, unless 'text' is NULL. */
static void
put_cut(writer *self, const char *key, const char *text, size_t most)
{
	if (text == NULL)
		return;
	json_key(self->out, key);
	json_string_cut(self->out, text, most);
}

static void
put_text(writer *self, const char *key, const char *text)
{
	put_cut(self, key, text, LINE_TEXT_MAX);
}

/* Like put_text(), for a part that may be redacted. */
static void
put_part(writer *self, const char *key, redaction part, const char *text)
{
	char buffer[LINE_HASH_MAX];

	put_text(self, key, line_redact(self->rules, part, text, buffer));
}

static bool
has_room(writer *self)
{
	bool room = self->out->len - self->start <= KEPT_BACK_MAX;

	self->cut = self->cut || !room;
	return room;
}

static bool
has_place(writer *self, size_t index)
{
	if (index < LINE_LIST_MAX)
		return has_room(self);
	self->cut = true;
	return false;
}

/*
 * Adds a list of texts, cut to LINE_LIST_MAX texts, unless it is empty; in "kept_back" also to the
 * room that is left.
 */
static void
put_list(writer *self, const char *key, const char *const *items, size_t count, bool kept)
{
	if (count == 0)
		return;
	json_write(self->out, "@:[", key);
	for (size_t i = 0; i < count && (kept ? has_place(self, i) : i < LINE_LIST_MAX); i++)
		json_string_cut(self->out, items[i], kept ? LINE_REASON_MAX : LINE_TEXT_MAX);
	g_string_append_c(self->out, ']');
}

static void
put_groups(writer *self)
{
	size_t count;
	const char *const *groups = limen_request_groups(self->facts->request, &count);
	char buffers[LINE_LIST_MAX][LINE_HASH_MAX];
	const char *shown[LINE_LIST_MAX];

	if ((self->rules->removed & REDACT_GROUPS) != 0)
		return;
	count = MIN(count, LINE_LIST_MAX);
	for (size_t i = 0; i < count; i++)
		shown[i] = line_redact(self->rules, REDACT_GROUPS, groups[i], buffers[i]);
	put_list(self, "groups", shown, count, false);
}

static const char *
field(const writer *self, limen_field which)
{
	return limen_request_field(self->facts->request, which);
}

/* Adds the members that describe the sender and the request. */
static void
put_request(writer *self)
{
	const http_peer *peer = self->facts->peer;
	const limen_request *req = self->facts->request;
	g_autofree char *controller = controller_of_request(req);

	if (peer != NULL)
		put_part(self, "peer", REDACT_PEER,
		         peer->unix_socket || peer->address == NULL ? "unix" : peer->address);
	json_write(self->out, "subject:s", record_subject(self->facts));
	if (limen_request_subject(req) == LIMEN_SUBJECT_TASK && limen_request_is_run(req))
		json_write(self->out, "run:b", true);
	put_part(self, "requester", REDACT_PEER, record_requester(self->facts));
	put_text(self, "uid", field(self, LIMEN_FIELD_UID));
	put_part(self, "user", REDACT_USER, field(self, LIMEN_FIELD_USER));
	put_groups(self);
	put_text(self, "operation", field(self, LIMEN_FIELD_OPERATION));
	put_text(self, "api_group", field(self, LIMEN_FIELD_RESOURCE_GROUP));
	put_text(self, "resource", field(self, LIMEN_FIELD_RESOURCE));
	put_text(self, "subresource", field(self, LIMEN_FIELD_SUBRESOURCE));
	put_part(self, "namespace", REDACT_NAMESPACE, field(self, LIMEN_FIELD_NAMESPACE));
	put_part(self, "name", REDACT_NAME, field(self, LIMEN_FIELD_NAME));
	put_part(self, "generate_name", REDACT_NAME, field(self, LIMEN_FIELD_GENERATE_NAME));
	/* It says more than the user who made the object, which is a controller's account. */
	put_part(self, "controller", REDACT_NAME, controller);
}

/* Like EventRateLimit: without a kind in the request, the version of the object decides. */
static bool
is_new_event(const writer *self)
{
	const char *kind = field(self, LIMEN_FIELD_KIND);
	const char *group = field(self, LIMEN_FIELD_GROUP);

	if (kind == NULL || kind[0] == '\0')
		return event_origin_is_new(limen_request_document(self->facts->request));
	return group != NULL && strcmp(group, EVENT_GROUP) == 0;
}

/*
 * Adds a source, or the reporter that stands in for it.  It names the sender of the event, so it
 * is hashed if the user is redacted.  It is never removed: "limen suggest" needs it for rates.
 */
static void
put_source(writer *self, const char *key, const char *const *source)
{
	char buffer[LINE_HASH_MAX];
	bool hidden = ((self->rules->removed | self->rules->hashed) & REDACT_USER) != 0;
	g_autofree char *joined = event_origin_join(source, EVENT_SOURCE_FIELDS);

	put_text(self, key, hidden ? hash(self->rules, joined, buffer) : joined);
}

static void
put_about(writer *self, const event_origin *origin)
{
	char namespace[LINE_HASH_MAX];
	const char *const *from = origin->object;
	const char *const shown[EVENT_OBJECT_FIELDS] = {
		from[0], line_redact(self->rules, REDACT_NAMESPACE, from[1], namespace),
		from[2], from[3], from[4]
	};
	g_autofree char *joined = event_origin_join(shown, EVENT_OBJECT_FIELDS);

	put_part(self, "object", REDACT_NAME, joined);
}

/*
 * Adds the parts of an event that select its bucket in EventRateLimit, so that "limen suggest"
 * can propose such a limit.  The reporter is a separate member, because not every limit uses it
 * in place of the source.
 */
static void
put_event(writer *self)
{
	limen_value event = limen_request_document(self->facts->request);
	const char *name = field(self, LIMEN_FIELD_RESOURCE);
	event_origin origin;

	if (name == NULL || strcmp(name, "events") != 0)
		return;
	event_origin_read(&origin, event, is_new_event(self));
	json_write(self->out, "event:{");
	put_source(self, "source", origin.source);
	if (event_origin_needs_reporter(&origin))
		put_source(self, "reporter", origin.reporter);
	put_about(self, &origin);
	put_text(self, "type", limen_value_string(limen_value_get(event, "type"), NULL));
	put_text(self, "reason", limen_value_string(limen_value_get(event, "reason"), NULL));
	g_string_append_c(self->out, '}');
}

/* Adds the entries that only observe and would have refused, with their reasons. */
static void
put_would_refuse(writer *self)
{
	const limen_annotation *note;
	char buffer[LINE_HASH_MAX];
	size_t count = 0;

	for (size_t i = 0; count < LINE_LIST_MAX &&
	                   (note = record_next_refusal(self->facts->decision, &i)) != NULL;) {
		const char *reason = line_redact_reason(self->rules, note->value, buffer);

		if (count++ == 0)
			json_write(self->out, "would_refuse:{");
		put_cut(self, note->key, reason == NULL ? "" : reason, LINE_REASON_MAX);
	}
	if (count > 0)
		g_string_append_c(self->out, '}');
}

/* Adds a number of seconds with six decimals. */
static void
put_seconds(writer *self, const char *key, int64_t microseconds)
{
	char text[48];

	snprintf(text, sizeof(text), "%lld.%06lld", (long long)(microseconds / LIMEN_SECOND),
	         (long long)(microseconds % LIMEN_SECOND));
	json_write(self->out, "@:j", key, text);
}

/* Adds what is left of rates. */
static void
put_rates(writer *self)
{
	const limen_quota *rate = limen_decision_quota(self->facts->decision, 0);

	if (rate == NULL)
		return;
	json_write(self->out, "rates:[");
	for (size_t i = 0; rate != NULL; rate = limen_decision_quota(self->facts->decision, ++i))
		json_write(self->out, "{name:s quota:i remaining:i reset:i}", rate->name, rate->quota,
		           rate->remaining, rate->reset);
	g_string_append_c(self->out, ']');
}

static void
put_decision(writer *self)
{
	const limen_decision *decision = self->facts->decision;
	int code = limen_decision_code(decision);
	char buffer[LINE_HASH_MAX];
	limen_duration wait;
	size_t count;
	const char *const *names;

	json_write(self->out, "verdict:s code:d",
	           limen_decision_admitted(decision) ? "admitted"
	           : code == 500                     ? "error"
	                                             : "refused", code);
	put_cut(self, "reason", line_redact_reason(self->rules, limen_decision_reason(decision), buffer),
	        LINE_REASON_MAX);
	put_text(self, "entry", limen_decision_entry(decision));
	put_would_refuse(self);
	names = limen_decision_classifiers(decision, &count);
	put_list(self, "classifiers", names, count, false);
	limen_decision_warnings(decision, &count);
	if (count > 0)
		json_write(self->out, "warnings:z", count);
	if (limen_decision_retry_after(decision, &wait))
		put_seconds(self, "retry_after", wait);
	put_rates(self);
	put_seconds(self, "seconds", MAX(self->facts->nanoseconds, 0) / 1000);
	if (limen_request_is_dry_run(self->facts->request))
		json_write(self->out, "dry_run:b", true);
}

/* Adds a value unchanged, unless it is larger than DOCUMENT_BYTES_MAX. */
static void
put_value(writer *self, const char *key, limen_value value)
{
	size_t length = 0;
	g_auto(heap_text) text = limen_value_to_json(value, 0, &length);

	if (text != NULL && length <= DOCUMENT_BYTES_MAX) {
		json_key(self->out, key);
		json_shown(self->out, text);
	}
}

static void
put_switch(writer *self, const char *key, limen_switch wanted)
{
	if (wanted != LIMEN_SWITCH_AUTO)
		json_write(self->out, "@:b", key, wanted == LIMEN_SWITCH_ON);
}

/* Copies headers; those that hold secrets are replaced by their SHA-256, as in keys of rates. */
static void
copy_headers(limen_builder *build, limen_value headers, const limen_decision *decision)
{
	limen_value name, value;

	limen_builder_object(build, "headers");
	for (limen_iter iter = limen_iter_start(headers); limen_iter_next(&iter, &name, &value);) {
		const char *key = limen_value_string(name, NULL);
		size_t length = 0;
		const char *text = limen_value_string(value, &length);
		g_auto(heap_text) json = text == NULL ? limen_value_to_json(value, 0, &length) : NULL;
		g_autofree char *digest = g_compute_checksum_for_data(
			G_CHECKSUM_SHA256, (const guchar *)(text == NULL ? json : text), length);
		g_autofree char *shown = g_strconcat("sha256:", digest, NULL);

		if (limen_decision_hides_header(decision, key))
			limen_builder_text(build, key, shown);
		else
			limen_builder_value(build, key, value);
	}
	limen_builder_end(build);
}

/* Adds an HTTP request. */
static void
put_http(writer *self, limen_value http)
{
	g_autoptr(limen_builder) build = limen_builder_new();
	limen_value key, value;

	limen_builder_object(build, NULL);
	for (limen_iter iter = limen_iter_start(http); limen_iter_next(&iter, &key, &value);) {
		if (limen_value_is(key, "headers"))
			copy_headers(build, value, self->facts->decision);
		else
			limen_builder_value(build, limen_value_string(key, NULL), value);
	}
	limen_builder_end(build);
	put_value(self, "http", limen_builder_finish(build));
}

/*
 * Adds hints and documents as they were received, so that "limen replay" can decide the request
 * again.
 */
static void
put_documents(writer *self)
{
	const limen_request *req = self->facts->request;

	if (!self->rules->documents || record_is_confidential(self->facts))
		return;
	put_switch(self, "rewrite", self->facts->rewrite);
	put_switch(self, "prioritize", self->facts->prioritize);
	put_value(self, "hints", limen_request_hints(req));
	if (limen_request_subject(req) == LIMEN_SUBJECT_HTTP)
		put_http(self, limen_request_original(req));
	else
		put_value(self, "document", limen_request_original(req));
	put_value(self, "old_document", limen_request_old(req));
}

/* ---- what requesters are not told ---- */

/* Adds a member if there is room; NULL is left out. */
static void
put_member(writer *self, const char *key, const char *text, size_t most)
{
	if (text != NULL && has_room(self))
		put_cut(self, key, text, most);
}

static void
put_violations(writer *self)
{
	const limen_violation *violation = limen_decision_violation(self->facts->decision, 0);

	if (violation == NULL)
		return;
	json_write(self->out, "violations:[");
	for (size_t i = 0; violation != NULL && has_place(self, i); i++) {
		json_write(self->out, "{");
		put_member(self, "field", violation->field, LINE_TEXT_MAX);
		put_member(self, "message", violation->message, LINE_REASON_MAX);
		put_member(self, "detail", violation->detail, LINE_REASON_MAX);
		g_string_append_c(self->out, '}');
		violation = limen_decision_violation(self->facts->decision, i + 1);
	}
	g_string_append_c(self->out, ']');
}

static void
put_annotations(writer *self)
{
	const limen_annotation *annotation = limen_decision_annotation(self->facts->decision, 0);

	if (annotation == NULL)
		return;
	json_write(self->out, "annotations:{");
	for (size_t i = 0; annotation != NULL && has_place(self, i); i++) {
		put_member(self, annotation->key, annotation->value, LINE_REASON_MAX);
		annotation = limen_decision_annotation(self->facts->decision, i + 1);
	}
	g_string_append_c(self->out, '}');
}

static void
put_module(writer *self, const limen_trace *step)
{
	json_open(self->out, '{');
	put_text(self, "kind", limen_kind_name(step->kind));
	put_text(self, "type", step->type);
	put_text(self, "name", step->name);
	json_write(self->out, "verdict:s", verdict_name(step->verdict));
	if (step->inverted)
		json_write(self->out, "inverted:b", true);
	put_text(self, "phase", step->phase);
	put_member(self, "reason", step->reason, LINE_REASON_MAX);
	put_list(self, "notes", step->notes, step->note_count, true);
	g_string_append_c(self->out, '}');
}

static void
put_trace(writer *self)
{
	const limen_trace *step = limen_decision_trace(self->facts->decision, 0);

	if (step == NULL)
		return;
	json_write(self->out, "trace:[");
	for (size_t i = 0; step != NULL && has_place(self, i); i++) {
		put_module(self, step);
		step = limen_decision_trace(self->facts->decision, i + 1);
	}
	g_string_append_c(self->out, ']');
}

/* Writes the most important parts first, as later parts are left out if there is no room. */
static void
put_all(writer *self)
{
	const char *const *warnings;
	size_t count;

	json_write(self->out, "kept_back:{");
	put_violations(self);
	warnings = limen_decision_warnings(self->facts->decision, &count);
	put_list(self, "warnings", warnings, count, true);
	put_annotations(self);
	put_member(self, "diagnostics", limen_decision_diagnostics(self->facts->decision),
	           KEPT_BACK_ACCOUNT_MAX);
	put_trace(self);
	if (self->cut)
		json_write(self->out, "cut:b", true);
	g_string_append_c(self->out, '}');
}

/*
 * Adds the members "id", which the requester was told too, "identifiers" and "kept_back".  Empty
 * ones are left out, and "kept_back" also if anything is redacted.
 */
static void
put_kept_back(writer *self)
{
	g_auto(heap_text) id = limen_value_to_json(limen_request_id(self->facts->request), 0, NULL);
	const char *const *names;
	size_t count;

	self->start = self->out->len;
	if (id != NULL && strlen(id) <= LINE_TEXT_MAX)
		json_write(self->out, "id:j", id);
	names = limen_decision_identifiers(self->facts->decision, &count);
	put_list(self, "identifiers", names, count, false);
	if (!redacts(self->rules))
		put_all(self);
}

void
decision_line_question(GString *out, const record *facts)
{
	static const struct {
		const char *key;
		limen_field field;
	} fields[] = { { "operation", LIMEN_FIELD_OPERATION },
		       { "namespace", LIMEN_FIELD_NAMESPACE },
		       { "user", LIMEN_FIELD_USER } };
	const line_rules all = { .documents = true };
	writer self = { .out = out, .rules = &all, .facts = facts };
	limen_subject subject = limen_request_subject(facts->request);

	if (record_is_confidential(facts))
		return;
	json_write(out, "{");
	if (subject == LIMEN_SUBJECT_HTTP)
		put_http(&self, limen_request_original(facts->request));
	else
		put_value(&self, record_subject(facts), limen_request_original(facts->request));
	if (subject != LIMEN_SUBJECT_OBJECT) {
		put_value(&self, "hints", limen_request_hints(facts->request));
		if (subject == LIMEN_SUBJECT_TASK && limen_request_is_run(facts->request))
			json_write(out, "run:b", true);
	} else {
		put_value(&self, "oldObject", limen_request_old(facts->request));
		for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
			put_text(&self, fields[i].key, field(&self, fields[i].field));
		put_groups(&self);
	}
	g_string_append_c(out, '}');
}

void
decision_line_write(GString *out, const line_rules *rules, const record *facts, limen_time now)
{
	writer self = { .out = out, .rules = rules, .facts = facts };
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(now, text);
	json_write(out, "{time:s endpoint:s", text, facts->endpoint);
	put_request(&self);
	put_event(&self);
	put_decision(&self);
	if (rules->kept_back)
		put_kept_back(&self);
	put_documents(&self);
	g_string_append(out, "}\n");
}
