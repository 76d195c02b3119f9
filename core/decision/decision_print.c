/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_print.c - prints the decision object in the form that all programs
 * and protocols of limen share.
 */
#include <limen/builder.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decision_state.h"
#include "document/document.h"

/* A finite number; whole ones without a fraction. */
static void
add_real(limen_builder *build, const char *key, double value)
{
	if (value == trunc(value) && fabs(value) < 1e15)
		limen_builder_int(build, key, (int64_t)value);
	else
		limen_builder_real(build, key, value);
}

/* Microseconds as seconds, exactly. */
static void
add_seconds(limen_builder *build, const char *key, limen_duration duration)
{
	char text[64];
	size_t length;

	snprintf(text, sizeof(text), "%lld.%06lld", (long long)(duration / LIMEN_SECOND),
	         (long long)(duration % LIMEN_SECOND));
	length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	value_builder_number(build, key, text, text[length - 1] == '.' ? length - 1 : length);
}

static void
add_names(limen_builder *build, const char *key, const char *const *items, size_t count)
{
	limen_builder_array(build, key);
	for (size_t i = 0; i < count; i++)
		limen_builder_text(build, NULL, items[i]);
	limen_builder_end(build);
}

static void
add_document(limen_builder *build, const char *key, const document *doc)
{
	if (doc == NULL)
		limen_builder_null(build, key);
	else
		limen_builder_value(build, key, document_root(doc));
}

static void
add_messages(limen_builder *build, const limen_decision *decision)
{
	arena memory = ARENA_INIT;
	text_list messages;

	limen_builder_array(build, "messages");
	if (!text_list_unique(&decision->violations, &memory, &messages))
		limen_builder_value(build, NULL, limen_value_none()); /* a failure */
	for (const text_item *one = messages.first; one != NULL; one = one->next)
		limen_builder_text(build, NULL, one->text);
	limen_builder_end(build);
	arena_free(&memory);
}

static void
add_annotations(limen_builder *build, const limen_decision *decision)
{
	if (decision->annotations.count == 0)
		return;
	limen_builder_object(build, "annotations");
	for (const text_item *one = decision->annotations.first; one != NULL; one = one->next)
		limen_builder_text(build, one->key, one->text);
	limen_builder_end(build);
}

static void
add_origins(limen_builder *build, const limen_decision *decision)
{
	if (!decision->wants_origins)
		return;
	limen_builder_array(build, "origins");
	for (const text_item *one = decision->origins.first; one != NULL; one = one->next) {
		limen_builder_object(build, NULL);
		limen_builder_text(build, "path", one->key);
		limen_builder_text(build, "from", one->text);
		limen_builder_end(build);
	}
	limen_builder_end(build);
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
add_bound(limen_builder *build, const limen_bound *one)
{
	static const char *const words[] = { "at least", "at most", "one of", "none of",
		                             "outside",  "matching", "not matching", "below" };

	limen_builder_text(build, "field", one->field);
	limen_builder_text(build, "have", one->have);
	limen_builder_text(build, "relation",
	                  (size_t)one->relation < sizeof(words) / sizeof(words[0])
	                          ? words[one->relation]
	                          : NULL);
	limen_builder_text(build, "bound", one->bound);
}

static void
add_trace_entry(limen_builder *build, const limen_trace *item)
{
	limen_builder_object(build, NULL);
	limen_builder_text(build, "kind", limen_kind_name(item->kind));
	limen_builder_text(build, "type", item->type);
	limen_builder_text(build, "name", item->name);
	limen_builder_text(build, "verdict", verdict_text(item->verdict));
	limen_builder_bool(build, "inverted", item->inverted);
	limen_builder_text(build, "reason", item->reason);
	add_real(build, "microseconds", (double)(item->nanoseconds / 100) / 10.0);
	limen_builder_text(build, "file", item->file);
	limen_builder_int(build, "line", item->line);
	if (item->note_count > 0)
		add_names(build, "notes", item->notes, item->note_count);
	if (item->phase != NULL)
		limen_builder_text(build, "phase", item->phase);
	if (item->application > 0) {
		limen_builder_int(build, "application", item->application);
		limen_builder_int(build, "group", item->group);
	}
	if (item->bound_count > 0)
		limen_builder_array(build, "bounds");
	for (size_t i = 0; i < item->bound_count; i++) {
		limen_builder_object(build, NULL);
		add_bound(build, &item->bounds[i]);
		limen_builder_end(build);
	}
	if (item->bound_count > 0)
		limen_builder_end(build);
	limen_builder_end(build);
}

static void
add_step(limen_builder *build, const limen_step *step)
{
	static const char *const words[] = { "classifier", "application", "group", "admission" };

	limen_builder_object(build, NULL);
	limen_builder_text(build, "kind", words[step->kind - LIMEN_STEP_CLASSIFIER]);
	limen_builder_text(build, "verdict", verdict_text(step->verdict));
	if (step->kind != LIMEN_STEP_GROUP)
		limen_builder_text(build, "name", step->name);
	if (step->require != NULL)
		limen_builder_text(build, "require", step->require);
	if (step->application > 0)
		limen_builder_int(build, "application", step->application);
	if (step->group > 0)
		limen_builder_int(build, "group", step->group);
	if (step->kind == LIMEN_STEP_APPLICATION) {
		limen_builder_text(build, "classifier", step->classifier);
		limen_builder_bool(build, "inverted", step->inverted);
		limen_builder_bool(build, "stop-on-failure", step->stops);
	}
	if (step->kind == LIMEN_STEP_ADMISSION) {
		limen_builder_text(build, "phase", step->phase);
		limen_builder_text(build, "reason", step->reason);
	}
	limen_builder_text(build, "file", step->file);
	limen_builder_int(build, "line", step->line);
	limen_builder_end(build);
}

static void
add_explanation(limen_builder *build, const limen_decision *decision)
{
	limen_builder_array(build, "trace");
	for (const trace_item *item = decision->trace; item != NULL; item = item->next)
		add_trace_entry(build, &item->trace);
	limen_builder_end(build);
	limen_builder_array(build, "steps");
	for (const step_item *item = decision->steps; item != NULL; item = item->next)
		add_step(build, &item->step);
	limen_builder_end(build);
}

static void
add_changes(limen_builder *build, const limen_decision *decision)
{
	const limen_trace *unexplained = decision->unexplained;

	if (unexplained != NULL) {
		limen_builder_object(build, "unexplained");
		limen_builder_text(build, "name", unexplained->name);
		limen_builder_int(build, "application", unexplained->application);
		limen_builder_text(build, "reason", unexplained->reason);
		limen_builder_end(build);
	}
	if (decision->change_count == 0)
		return;
	limen_builder_array(build, "smallest_change");
	for (size_t i = 0; i < decision->change_count; i++) {
		const limen_change *one = &decision->changes[i];

		limen_builder_object(build, NULL);
		limen_builder_text(build, "kind", limen_kind_name(one->entry->kind));
		limen_builder_text(build, "name", one->entry->name);
		if (one->entry->application > 0)
			limen_builder_int(build, "application", one->entry->application);
		if (one->bound != NULL)
			add_bound(build, one->bound);
		else
			add_seconds(build, "wait", one->wait);
		limen_builder_end(build);
	}
	limen_builder_end(build);
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

static limen_builder *
build_document(const limen_decision *decision, limen_value id)
{
	limen_builder *build = limen_builder_new();

	limen_builder_object(build, NULL);
	if (limen_value_exists(id))
		limen_builder_value(build, "id", id);
	limen_builder_bool(build, "admitted", decision->admitted);
	limen_builder_int(build, "code", decision->code);
	limen_builder_text(build, "reason", decision->reason);
	add_messages(build, decision);
	limen_builder_text(build, "diagnostics", decision->diagnostics.text);
	add_names(build, "identifiers", decision->identifiers.items, decision->identifiers.count);
	add_names(build, "classifiers", decision->classifiers.items, decision->classifiers.count);
	if (decision->has_priority)
		add_real(build, "priority", decision->priority);
	else
		limen_builder_null(build, "priority");
	/* Fails for a document lost to a memory shortage; null would mean "not rewritten". */
	if (decision->rewritten == NULL)
		limen_builder_null(build, "rewritten");
	else
		limen_builder_value(build, "rewritten", limen_decision_rewritten(decision));
	add_document(build, "patch", decision->patch);
	add_names(build, "warnings", decision->warning_items, decision->warnings.count);
	if (decision->retry_after < 0)
		limen_builder_null(build, "retry_after");
	else
		add_seconds(build, "retry_after", decision->retry_after);
	if (decision->details != NULL)
		add_document(build, "details", decision->details);
	add_annotations(build, decision);
	add_origins(build, decision);
	if (decision->wants_trace)
		add_explanation(build, decision);
	add_changes(build, decision);
	limen_builder_end(build);
	return build;
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
	limen_builder *build;
	char *text;

	if (decision == NULL)
		return NULL;
	if ((flags & LIMEN_JSON_BRIEF) != 0) {
		brief = make_brief(decision);
		decision = &brief;
	}
	build = build_document(decision, id);
	text = limen_value_to_json(limen_builder_finish(build), flags, length);
	limen_builder_free(build);
	return text;
}

char *
limen_decision_to_json(const limen_decision *decision, unsigned flags, size_t *length)
{
	return decision_to_json(decision, limen_value_none(), flags, length);
}
