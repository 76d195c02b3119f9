/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_print.c - prints the decision object in the form that all programs
 * and protocols of limen share.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decision_state.h"
#include "document/document.h"
#include "host/host.h"

/* A finite number; whole ones without a fraction. */
static void
add_real(limen_sink *sink, const char *key, double value)
{
	if (value == trunc(value) && fabs(value) < 1e15)
		limen_sink_int(sink, key, (int64_t)value);
	else
		limen_sink_real(sink, key, value);
}

/* Microseconds as seconds, exactly. */
static void
add_seconds(limen_sink *sink, const char *key, limen_duration duration)
{
	char text[64];
	size_t length;

	snprintf(text, sizeof(text), "%lld.%06lld", (long long)(duration / LIMEN_SECOND),
	         (long long)(duration % LIMEN_SECOND));
	length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	text[text[length - 1] == '.' ? length - 1 : length] = '\0';
	sink_number(sink, key, text);
}

static void
add_names(limen_sink *sink, const char *key, const char *const *items, size_t count)
{
	sink_begin_list(sink, key);
	for (size_t i = 0; i < count; i++)
		sink_item(sink, items[i]);
	sink_end(sink);
}

static void
add_document(limen_sink *sink, const char *key, const document *doc)
{
	if (doc == NULL)
		limen_sink_string(sink, key, NULL);
	else
		sink_copy(sink, key, document_root(doc));
}

static void
add_messages(limen_sink *sink, const limen_decision *decision)
{
	arena memory = ARENA_INIT;
	text_list messages;

	sink_begin_list(sink, "messages");
	if (!text_list_unique(&decision->violations, &memory, &messages))
		sink_fail(sink);
	for (const text_item *one = messages.first; one != NULL; one = one->next)
		sink_item(sink, one->text);
	sink_end(sink);
	arena_free(&memory);
}

static void
add_annotations(limen_sink *sink, const limen_decision *decision)
{
	if (decision->annotations.count == 0)
		return;
	sink_begin(sink, "annotations");
	for (const text_item *one = decision->annotations.first; one != NULL; one = one->next)
		limen_sink_string(sink, one->key, one->text);
	sink_end(sink);
}

static void
add_origins(limen_sink *sink, const limen_decision *decision)
{
	if (!decision->wants_origins)
		return;
	sink_begin_list(sink, "origins");
	for (const text_item *one = decision->origins.first; one != NULL; one = one->next) {
		sink_begin_item(sink);
		limen_sink_string(sink, "path", one->key);
		limen_sink_string(sink, "from", one->text);
		sink_end(sink);
	}
	sink_end(sink);
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
add_bound(limen_sink *sink, const limen_bound *one)
{
	static const char *const words[] = { "at least", "at most", "one of", "none of",
		                             "outside",  "matching", "not matching", "below" };

	limen_sink_string(sink, "field", one->field);
	limen_sink_string(sink, "have", one->have);
	limen_sink_string(sink, "relation",
	                  (size_t)one->relation < sizeof(words) / sizeof(words[0])
	                          ? words[one->relation]
	                          : NULL);
	limen_sink_string(sink, "bound", one->bound);
}

static void
add_trace_entry(limen_sink *sink, const limen_trace *item)
{
	sink_begin_item(sink);
	limen_sink_string(sink, "kind", limen_kind_name(item->kind));
	limen_sink_string(sink, "type", item->type);
	limen_sink_string(sink, "name", item->name);
	limen_sink_string(sink, "verdict", verdict_text(item->verdict));
	limen_sink_bool(sink, "inverted", item->inverted);
	limen_sink_string(sink, "reason", item->reason);
	add_real(sink, "microseconds", (double)(item->nanoseconds / 100) / 10.0);
	limen_sink_string(sink, "file", item->file);
	limen_sink_int(sink, "line", item->line);
	if (item->note_count > 0)
		add_names(sink, "notes", item->notes, item->note_count);
	if (item->phase != NULL)
		limen_sink_string(sink, "phase", item->phase);
	if (item->application > 0) {
		limen_sink_int(sink, "application", item->application);
		limen_sink_int(sink, "group", item->group);
	}
	if (item->bound_count > 0)
		sink_begin_list(sink, "bounds");
	for (size_t i = 0; i < item->bound_count; i++) {
		sink_begin_item(sink);
		add_bound(sink, &item->bounds[i]);
		sink_end(sink);
	}
	if (item->bound_count > 0)
		sink_end(sink);
	sink_end(sink);
}

static void
add_step(limen_sink *sink, const limen_step *step)
{
	static const char *const words[] = { "classifier", "application", "group", "admission" };

	sink_begin_item(sink);
	limen_sink_string(sink, "kind", words[step->kind - LIMEN_STEP_CLASSIFIER]);
	limen_sink_string(sink, "verdict", verdict_text(step->verdict));
	if (step->kind != LIMEN_STEP_GROUP)
		limen_sink_string(sink, "name", step->name);
	if (step->require != NULL)
		limen_sink_string(sink, "require", step->require);
	if (step->application > 0)
		limen_sink_int(sink, "application", step->application);
	if (step->group > 0)
		limen_sink_int(sink, "group", step->group);
	if (step->kind == LIMEN_STEP_APPLICATION) {
		limen_sink_string(sink, "classifier", step->classifier);
		limen_sink_bool(sink, "inverted", step->inverted);
		limen_sink_bool(sink, "stop-on-failure", step->stops);
	}
	if (step->kind == LIMEN_STEP_ADMISSION) {
		limen_sink_string(sink, "phase", step->phase);
		limen_sink_string(sink, "reason", step->reason);
	}
	limen_sink_string(sink, "file", step->file);
	limen_sink_int(sink, "line", step->line);
	sink_end(sink);
}

static void
add_explanation(limen_sink *sink, const limen_decision *decision)
{
	sink_begin_list(sink, "trace");
	for (const trace_item *item = decision->trace; item != NULL; item = item->next)
		add_trace_entry(sink, &item->trace);
	sink_end(sink);
	sink_begin_list(sink, "steps");
	for (const step_item *item = decision->steps; item != NULL; item = item->next)
		add_step(sink, &item->step);
	sink_end(sink);
}

static void
add_changes(limen_sink *sink, const limen_decision *decision)
{
	const limen_trace *unexplained = decision->unexplained;

	if (unexplained != NULL) {
		sink_begin(sink, "unexplained");
		limen_sink_string(sink, "name", unexplained->name);
		limen_sink_int(sink, "application", unexplained->application);
		limen_sink_string(sink, "reason", unexplained->reason);
		sink_end(sink);
	}
	if (decision->change_count == 0)
		return;
	sink_begin_list(sink, "smallest_change");
	for (size_t i = 0; i < decision->change_count; i++) {
		const limen_change *one = &decision->changes[i];

		sink_begin_item(sink);
		limen_sink_string(sink, "kind", limen_kind_name(one->entry->kind));
		limen_sink_string(sink, "name", one->entry->name);
		if (one->entry->application > 0)
			limen_sink_int(sink, "application", one->entry->application);
		if (one->bound != NULL)
			add_bound(sink, one->bound);
		else
			add_seconds(sink, "wait", one->wait);
		sink_end(sink);
	}
	sink_end(sink);
}

const char *
limen_decision_summary(const limen_decision *decision)
{
	if (decision == NULL)
		return NULL;
	switch (decision->code) {
	case 200:
		return "admitted";
	case 500:
		return "cannot be decided now";
	case 422:
		return "not valid";
	case 429:
		return "too many requests, try again later";
	default:
		/* A task is refused with 403 also for its rate. */
		return decision->retry_after >= 0 ? "too many requests, try again later"
		                                  : "refused by the policy";
	}
}

static document *
build_document(const limen_decision *decision, limen_value id)
{
	limen_sink *sink = sink_new();

	if (sink == NULL)
		return NULL;
	if (limen_value_exists(id))
		sink_copy(sink, "id", id);
	limen_sink_bool(sink, "admitted", decision->admitted);
	limen_sink_int(sink, "code", decision->code);
	limen_sink_string(sink, "reason", decision->reason);
	add_messages(sink, decision);
	limen_sink_string(sink, "diagnostics", decision->diagnostics.text);
	add_names(sink, "identifiers", decision->identifiers.items, decision->identifiers.count);
	add_names(sink, "classifiers", decision->classifiers.items, decision->classifiers.count);
	if (decision->has_priority)
		add_real(sink, "priority", decision->priority);
	else
		limen_sink_string(sink, "priority", NULL);
	/* Fails for a document lost to a memory shortage; null would mean "not rewritten". */
	if (decision->rewritten == NULL)
		limen_sink_string(sink, "rewritten", NULL);
	else
		sink_copy(sink, "rewritten", limen_decision_rewritten(decision));
	add_document(sink, "patch", decision->patch);
	add_names(sink, "warnings", decision->warning_items, decision->warnings.count);
	if (decision->retry_after < 0)
		limen_sink_string(sink, "retry_after", NULL);
	else
		add_seconds(sink, "retry_after", decision->retry_after);
	if (decision->details != NULL)
		add_document(sink, "details", decision->details);
	add_annotations(sink, decision);
	add_origins(sink, decision);
	if (decision->wants_trace)
		add_explanation(sink, decision);
	add_changes(sink, decision);
	return sink_finish(sink);
}

/* Returns what the sender may know of 'decision', whose memory it uses. */
static limen_decision
make_brief(const limen_decision *decision)
{
	limen_decision brief = {
		.admitted = decision->admitted,
		.code = decision->code,
		.reason = limen_decision_summary(decision),
		.retry_after = decision->retry_after,
	};

	/* Changes to refused requests are hidden. */
	if (decision->admitted) {
		brief.has_priority = decision->has_priority;
		brief.priority = decision->priority;
		brief.rewritten = decision->rewritten;
		brief.patch = decision->patch;
	}
	return brief;
}

char *
decision_to_json(const limen_decision *decision, limen_value id, unsigned flags, size_t *length)
{
	limen_decision brief;
	document *doc;
	char *text;

	if (decision == NULL)
		return NULL;
	if ((flags & LIMEN_JSON_BRIEF) != 0) {
		brief = make_brief(decision);
		decision = &brief;
	}
	doc = build_document(decision, id);
	if (doc == NULL)
		return NULL;
	text = limen_value_to_json(document_root(doc), flags, length);
	document_unref(doc);
	return text;
}

char *
limen_decision_to_json(const limen_decision *decision, unsigned flags, size_t *length)
{
	return decision_to_json(decision, limen_value_none(), flags, length);
}
