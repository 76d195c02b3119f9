/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_print.c - prints the decision object in the form that all programs
 * and protocols of limen share.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decision_state.h"
#include "scalar/scalar.h"
#include "document/document.h"

static void
add_text(builder *build, const char *text)
{
	if (text == NULL)
		builder_null(build, ORIGIN_NONE, 0);
	else
		builder_text(build, text);
}

static void
add_member(builder *build, const char *key, const char *text)
{
	add_text(build, key);
	add_text(build, text);
}

static void
add_flag(builder *build, const char *key, bool value)
{
	add_text(build, key);
	builder_bool(build, ORIGIN_NONE, 0, value);
}

static void
add_whole(builder *build, int64_t value)
{
	char text[NUMBER_INT_MAX];

	builder_number(build, ORIGIN_NONE, 0, text, number_write_int(value, text));
}

static void
add_int(builder *build, const char *key, int64_t value)
{
	add_text(build, key);
	add_whole(build, value);
}

/* Names of files need not be UTF-8. */
static void
add_place(builder *build, const char *file, unsigned line)
{
	add_text(build, "file");
	if (file == NULL)
		builder_null(build, ORIGIN_NONE, 0);
	else
		builder_repaired(build, file);
	add_int(build, "line", line);
}

/* Marks 'build' as failed: copying a missing value does that. */
static void
fail_builder(builder *build)
{
	builder_copy(build, limen_value_none());
}

/* A finite number; whole ones without a fraction. */
static void
add_real(builder *build, double value)
{
	strbuf text = STRBUF_INIT;

	if (value == trunc(value) && fabs(value) < 1e15) {
		add_whole(build, (int64_t)value);
		return;
	}
	value_repr_real(&text, value);
	if (text.failed)
		fail_builder(build);
	else
		builder_number(build, ORIGIN_NONE, 0, text.text, text.length);
	strbuf_free(&text);
}

/* Microseconds as seconds, exactly. */
static void
add_seconds(builder *build, limen_duration duration)
{
	char text[64];
	size_t length;

	snprintf(text, sizeof(text), "%lld.%06lld", (long long)(duration / LIMEN_SECOND),
	         (long long)(duration % LIMEN_SECOND));
	length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	builder_number(build, ORIGIN_NONE, 0, text, length);
}

static void
add_names(builder *build, const char *key, const char *const *items, size_t count)
{
	add_text(build, key);
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < count; i++)
		add_text(build, items[i]);
	builder_end(build);
}

static void
add_document(builder *build, const char *key, const document *doc)
{
	add_text(build, key);
	if (doc == NULL)
		builder_null(build, ORIGIN_NONE, 0);
	else
		builder_copy(build, document_root(doc));
}

/* A document lost to a memory shortage fails the builder; null would mean "not rewritten". */
static void
add_rewritten(builder *build, const limen_decision *decision)
{
	if (decision->rewritten == NULL) {
		add_document(build, "rewritten", NULL);
		return;
	}
	add_text(build, "rewritten");
	builder_copy(build, limen_decision_rewritten(decision));
}

static void
add_messages(builder *build, const limen_decision *decision)
{
	arena memory = ARENA_INIT;
	text_list messages;

	add_text(build, "messages");
	builder_begin_array(build, ORIGIN_NONE, 0);
	if (!text_list_unique(&decision->violations, &memory, &messages))
		fail_builder(build);
	for (const text_item *one = messages.first; one != NULL; one = one->next)
		add_text(build, one->text);
	builder_end(build);
	arena_free(&memory);
}

static void
add_details(builder *build, const limen_decision *decision)
{
	if (decision->details != NULL)
		add_document(build, "details", decision->details);
}

static void
add_annotations(builder *build, const limen_decision *decision)
{
	if (decision->annotations.count == 0)
		return;
	add_text(build, "annotations");
	builder_begin_object(build, ORIGIN_NONE, 0);
	for (const text_item *one = decision->annotations.first; one != NULL; one = one->next)
		add_member(build, one->key, one->text);
	builder_end(build);
}

static void
add_origins(builder *build, const limen_decision *decision)
{
	if (!decision->wants_origins)
		return;
	add_text(build, "origins");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (const text_item *one = decision->origins.first; one != NULL; one = one->next) {
		builder_begin_object(build, ORIGIN_NONE, 0);
		add_member(build, "path", one->key);
		add_member(build, "from", one->text);
		builder_end(build);
	}
	builder_end(build);
}

static const char *
verdict_text(limen_verdict verdict)
{
	switch (verdict) {
	case LIMEN_PASS:
		return "pass";
	case LIMEN_FAIL:
		return "fail";
	case LIMEN_SKIP:
		return "skip";
	default:
		return "error";
	}
}

static void
add_bound(builder *build, const limen_bound *one)
{
	static const char *const words[] = { "at least", "at most", "one of", "none of",
		                             "outside",  "matching", "not matching", "below" };

	add_member(build, "field", one->field);
	add_member(build, "have", one->have);
	add_member(build, "relation",
	           (size_t)one->relation < sizeof(words) / sizeof(words[0]) ? words[one->relation]
	                                                                    : NULL);
	add_member(build, "bound", one->bound);
}

static void
add_bounds(builder *build, const limen_trace *item)
{
	if (item->bound_count == 0)
		return;
	add_text(build, "bounds");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < item->bound_count; i++) {
		builder_begin_object(build, ORIGIN_NONE, 0);
		add_bound(build, &item->bounds[i]);
		builder_end(build);
	}
	builder_end(build);
}

static void
add_trace_entry(builder *build, const limen_trace *item)
{
	builder_begin_object(build, ORIGIN_NONE, 0);
	add_member(build, "kind", limen_kind_name(item->kind));
	add_member(build, "type", item->type);
	add_member(build, "name", item->name);
	add_member(build, "verdict", verdict_text(item->verdict));
	add_flag(build, "inverted", item->inverted);
	add_member(build, "reason", item->reason);
	add_text(build, "microseconds");
	add_real(build, (double)(item->nanoseconds / 100) / 10.0);
	add_place(build, item->file, item->line);
	if (item->note_count > 0)
		add_names(build, "notes", item->notes, item->note_count);
	if (item->phase != NULL)
		add_member(build, "phase", item->phase);
	if (item->application > 0) {
		add_int(build, "application", item->application);
		add_int(build, "group", item->group);
	}
	add_bounds(build, item);
	builder_end(build);
}

static void
add_step(builder *build, const limen_step *step)
{
	static const char *const words[] = { "classifier", "application", "group" };

	builder_begin_object(build, ORIGIN_NONE, 0);
	add_member(build, "kind", words[step->kind - LIMEN_STEP_CLASSIFIER]);
	add_member(build, "verdict", verdict_text(step->verdict));
	if (step->kind != LIMEN_STEP_GROUP)
		add_member(build, "name", step->name);
	if (step->require != NULL)
		add_member(build, "require", step->require);
	if (step->application > 0)
		add_int(build, "application", step->application);
	if (step->group > 0)
		add_int(build, "group", step->group);
	if (step->kind == LIMEN_STEP_APPLICATION) {
		add_member(build, "classifier", step->classifier);
		add_flag(build, "inverted", step->inverted);
		add_flag(build, "stop-on-failure", step->stops);
	}
	add_place(build, step->file, step->line);
	builder_end(build);
}

static void
add_steps(builder *build, const limen_decision *decision)
{
	if (!decision->wants_trace)
		return;
	add_text(build, "steps");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (const step_item *item = decision->steps; item != NULL; item = item->next)
		add_step(build, &item->step);
	builder_end(build);
}

static void
add_trace(builder *build, const limen_decision *decision)
{
	if (!decision->wants_trace)
		return;
	add_text(build, "trace");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (const trace_item *item = decision->trace; item != NULL; item = item->next)
		add_trace_entry(build, &item->trace);
	builder_end(build);
}

static void
add_changes(builder *build, const limen_decision *decision)
{
	if (decision->change_count == 0)
		return;
	add_text(build, "smallest_change");
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < decision->change_count; i++) {
		const limen_change *one = &decision->changes[i];

		builder_begin_object(build, ORIGIN_NONE, 0);
		add_member(build, "kind", limen_kind_name(one->entry->kind));
		add_member(build, "name", one->entry->name);
		if (one->entry->application > 0)
			add_int(build, "application", one->entry->application);
		if (one->bound != NULL) {
			add_bound(build, one->bound);
		} else {
			add_text(build, "wait");
			add_seconds(build, one->wait);
		}
		builder_end(build);
	}
	builder_end(build);
}

static void
add_priority(builder *build, const limen_decision *decision)
{
	add_text(build, "priority");
	if (decision->has_priority)
		add_real(build, decision->priority);
	else
		builder_null(build, ORIGIN_NONE, 0);
}

static void
add_retry_after(builder *build, const limen_decision *decision)
{
	add_text(build, "retry_after");
	if (decision->retry_after < 0)
		builder_null(build, ORIGIN_NONE, 0);
	else
		add_seconds(build, decision->retry_after);
}

static document *
build_document(const limen_decision *decision)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	add_flag(build, "admitted", decision->admitted);
	add_int(build, "code", decision->code);
	add_member(build, "reason", decision->reason);
	add_messages(build, decision);
	add_member(build, "diagnostics", decision->diagnostics.text);
	add_names(build, "identifiers", decision->identifiers.items, decision->identifiers.count);
	add_names(build, "classifiers", decision->classifiers.items, decision->classifiers.count);
	add_priority(build, decision);
	add_rewritten(build, decision);
	add_document(build, "patch", decision->patch);
	add_names(build, "warnings", decision->warning_items, decision->warnings.count);
	add_retry_after(build, decision);
	add_details(build, decision);
	add_annotations(build, decision);
	add_origins(build, decision);
	add_trace(build, decision);
	add_steps(build, decision);
	add_changes(build, decision);
	builder_end(build);
	return builder_finish(build);
}

char *
limen_decision_print(const limen_decision *decision, unsigned flags, size_t *length)
{
	document *doc = build_document(decision);
	char *text;

	if (doc == NULL)
		return NULL;
	text = limen_value_print(document_root(doc), flags, length);
	document_unref(doc);
	return text;
}
