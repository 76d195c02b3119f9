/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_back.c - writes what --messages=short keeps from requesters into a line of the
 * decision log.
 */
#include "kept_back.h"

#include <string.h>

#include "../common/json_out.h"
#include "../common/verdict_name.h"
#include "redact.h"

/* State of writing the member "kept_back". */
typedef struct keeper {
	GString *out;
	const record *made;
	size_t start;
	bool cut; /* something was left out */
} keeper;

static bool
has_room(keeper *self)
{
	bool room = self->out->len - self->start <= KEPT_BACK_MAX;

	self->cut = self->cut || !room;
	return room;
}

static bool
has_place(keeper *self, size_t index)
{
	if (index < LINE_LIST_MAX)
		return has_room(self);
	self->cut = true;
	return false;
}

/* Adds a name from the policy, whether or not there is room; NULL is left out. */
static void
put_name(keeper *self, const char *key, const char *name)
{
	decision_line_put_text(self->out, key, name, LINE_TEXT_MAX);
}

/* Adds a member if there is room; NULL is left out. */
static void
put_member(keeper *self, const char *key, const char *text, size_t most)
{
	if (text != NULL && has_room(self))
		decision_line_put_text(self->out, key, text, most);
}

static void
put_list(keeper *self, const char *key, const char *const *items, size_t count)
{
	if (count == 0)
		return;
	json_key(self->out, key);
	json_open(self->out, '[');
	for (size_t i = 0; i < count && has_place(self, i); i++)
		json_string_cut(self->out, items[i], LINE_REASON_MAX);
	g_string_append_c(self->out, ']');
}

static void
put_violations(keeper *self)
{
	const limen_violation *one = limen_decision_violation(self->made->decision, 0);

	if (one == NULL)
		return;
	json_write(self->out, "violations:[");
	for (size_t i = 0; one != NULL && has_place(self, i); i++) {
		json_write(self->out, "{");
		put_member(self, "field", one->field, LINE_TEXT_MAX);
		put_member(self, "message", one->message, LINE_REASON_MAX);
		put_member(self, "detail", one->detail, LINE_REASON_MAX);
		g_string_append_c(self->out, '}');
		one = limen_decision_violation(self->made->decision, i + 1);
	}
	g_string_append_c(self->out, ']');
}

static void
put_annotations(keeper *self)
{
	const limen_annotation *one = limen_decision_annotation(self->made->decision, 0);

	if (one == NULL)
		return;
	json_write(self->out, "annotations:{");
	for (size_t i = 0; one != NULL && has_place(self, i); i++) {
		put_member(self, one->key, one->value, LINE_REASON_MAX);
		one = limen_decision_annotation(self->made->decision, i + 1);
	}
	g_string_append_c(self->out, '}');
}

static void
put_module(keeper *self, const limen_trace *one)
{
	json_open(self->out, '{');
	put_name(self, "kind", limen_kind_name(one->kind));
	put_name(self, "type", one->type);
	put_name(self, "name", one->name);
	json_put_string(self->out, "verdict", verdict_name(one->verdict));
	if (one->inverted)
		json_put_bool(self->out, "inverted", true);
	put_name(self, "phase", one->phase);
	put_member(self, "reason", one->reason, LINE_REASON_MAX);
	put_list(self, "notes", one->notes, one->note_count);
	g_string_append_c(self->out, '}');
}

static void
put_trace(keeper *self)
{
	const limen_trace *one = limen_decision_trace(self->made->decision, 0);

	if (one == NULL)
		return;
	json_write(self->out, "trace:[");
	for (size_t i = 0; one != NULL && has_place(self, i); i++) {
		put_module(self, one);
		one = limen_decision_trace(self->made->decision, i + 1);
	}
	g_string_append_c(self->out, ']');
}

/* Writes the most important parts first, as later parts are left out if there is no room. */
static void
put_all(keeper *self)
{
	const char *const *warnings;
	size_t count;

	json_write(self->out, "kept_back:{");
	put_violations(self);
	warnings = limen_decision_warnings(self->made->decision, &count);
	put_list(self, "warnings", warnings, count);
	put_annotations(self);
	put_member(self, "diagnostics", limen_decision_diagnostics(self->made->decision),
	           KEPT_BACK_ACCOUNT_MAX);
	put_trace(self);
	if (self->cut)
		json_put_bool(self->out, "cut", true);
	g_string_append_c(self->out, '}');
}

void
kept_back_write(GString *out, const line_rules *rules, const record *made)
{
	keeper self = { .out = out, .made = made, .start = out->len };
	const char *const *names;
	size_t count;

	if (made->id != NULL && strlen(made->id) <= LINE_TEXT_MAX)
		json_write(out, "id:j", made->id);
	names = limen_decision_identifiers(made->decision, &count);
	decision_line_put_list(out, "identifiers", names, count);
	if (!redact_any(rules))
		put_all(&self);
}
