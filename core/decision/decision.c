/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision.c - makes, seals and reads decision objects.
 */
#include "decision_state.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/recycle.h"
#include "base/utf8.h"

/* A decision and what most decisions need beside it. */
#define ROOM ((size_t)1024)

/*
 * Caps on the warnings of a decision, in number and in bytes: each entry that only observes
 * adds as many as a denying entry has violations.
 */
#define WARNINGS_MAX      1000
#define WARNINGS_MORE     "only the first 1000 warnings are reported"
#define WARNING_BYTES_MAX ((size_t)1 << 20)
#define WARNINGS_LONG     "only the first warnings are reported, because they are too long"

limen_decision *
decision_new(void)
{
	limen_decision *decision = recycle_alloc(ROOM);

	if (decision == NULL)
		return NULL;
	*decision = (limen_decision){ .admitted = false };
	arena_start(&decision->arena, decision + 1, ROOM - sizeof(*decision));
	/* Refused until something says otherwise. */
	decision->code = 500;
	decision->reason = "no decision was reached";
	decision->retry_after = -1;
	return decision;
}

void
limen_decision_free(limen_decision *decision)
{
	if (decision == NULL)
		return;
	revision_unref(decision->rewritten);
	document_unref(decision->patch);
	document_unref(decision->details);
	strbuf_free(&decision->diagnostics);
	arena_free(&decision->arena);
	recycle_free(decision);
}

bool
limen_decision_hides_header(const limen_decision *decision, const char *name)
{
	static const char *const known[] = { "authorization", "cookie", "x-api-key", NULL };
	const char *const *lists[] = { known, decision == NULL ? NULL : decision->secret_headers };

	if (name == NULL || lists[1] == NULL)
		return true;
	for (size_t i = 0; i < 2; i++)
		for (const char *const *secret = lists[i]; *secret != NULL; secret++)
			if (strcmp(*secret, name) == 0)
				return true;
	return false;
}

void
decision_refuse(limen_decision *decision, int code, const char *format, ...)
{
	va_list arguments;
	char *reason;

	va_start(arguments, format);
	reason = arena_vprintf(&decision->arena, format, arguments);
	va_end(arguments);
	/* Modules and descriptions may contain line breaks. */
	utf8_one_line(reason);
	decision->admitted = false;
	decision->code = code;
	decision->reason = reason == NULL ? limen_result_text(LIMEN_ENOMEM) : reason;
}

bool
decision_no_memory(limen_decision *decision)
{
	decision_refuse(decision, 500, "%s", limen_result_text(LIMEN_ENOMEM));
	return false;
}

void
decision_blame(limen_decision *decision, const char *name)
{
	decision->entry = arena_strdup(&decision->arena, name);
}

/* Cuts 'warnings' to both caps; the last one then says that some are missing. */
static bool
cut_warnings(item_list *warnings, arena *memory)
{
	size_t count = 0;
	size_t bytes = 0;
	void **end = &warnings->first;

	for (; *end != NULL && count < WARNINGS_MAX && bytes < WARNING_BYTES_MAX; count++) {
		bytes += strlen(((const text_item *)*end)->text);
		end = *end;
	}
	if (*end == NULL)
		return true;
	*end = NULL;
	warnings->end = end;
	warnings->count = count;
	return text_list_add(warnings, memory,
	                     count == WARNINGS_MAX ? WARNINGS_MORE : WARNINGS_LONG);
}

/* Copies 'list' into 'array', which stays NULL if it is empty; false: no memory. */
#define SEAL(decision, list, array)                                                                \
	((decision)->list.count == 0 ||                                                            \
	 ((decision)->array = item_list_array(&(decision)->list, &(decision)->arena,               \
	                                      sizeof(*(decision)->array))) != NULL)

static bool
seal_all(limen_decision *decision)
{
	arena *memory = &decision->arena;
	item_list unique;

	/* Entries are asked twice, to change an object and to check it, and warn twice. */
	if (decision->warnings.count > 0) {
		if (!text_list_unique(&decision->warnings, offsetof(text_item, text), memory,
		                      &unique) ||
		    !cut_warnings(&unique, memory))
			return false;
		decision->warnings = unique;
	}
	return SEAL(decision, violations, violation_items) &&
	       SEAL(decision, annotations, annotation_items) &&
	       SEAL(decision, observed, observed_items) &&
	       SEAL(decision, origins, origin_items) && SEAL(decision, warnings, warning_items) &&
	       SEAL(decision, trace, trace_items) && SEAL(decision, steps, step_items) &&
	       decision_find_change(decision);
}

/* Most decisions have nothing of what is sealed. */
static bool
has_lists(const limen_decision *decision)
{
	return (decision->violations.count | decision->annotations.count |
	        decision->observed.count | decision->origins.count | decision->warnings.count | decision->trace.count |
	        decision->steps.count) != 0;
}

static OUTLINE bool
seal_lists(limen_decision *decision)
{
	if (!decision->diagnostics.failed && seal_all(decision))
		return true;
	/* Every list is complete or empty: a failed array must not be read. */
	decision->violations = (item_list){ .count = 0 };
	decision->annotations = (item_list){ .count = 0 };
	decision->observed = (item_list){ .count = 0 };
	decision->origins = (item_list){ .count = 0 };
	decision->warnings = (item_list){ .count = 0 };
	decision->trace = (item_list){ .count = 0 };
	decision->steps = (item_list){ .count = 0 };
	decision->change_count = 0;
	decision->unexplained = NULL;
	return false;
}

bool
decision_seal(limen_decision *decision)
{
	if (!has_lists(decision) && !decision->diagnostics.failed)
		return true;
	return seal_lists(decision);
}

bool
limen_decision_admitted(const limen_decision *decision)
{
	return decision != NULL && decision->admitted;
}

int
limen_decision_code(const limen_decision *decision)
{
	return decision == NULL ? 0 : decision->code;
}

const char *
limen_decision_reason(const limen_decision *decision)
{
	return decision == NULL ? NULL : decision->reason;
}

const char *
limen_decision_entry(const limen_decision *decision)
{
	return decision == NULL || decision->admitted ? NULL : decision->entry;
}

const limen_violation *
limen_decision_violation(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->violations.count ? &decision->violation_items[index] : NULL;
}

const char *
limen_decision_diagnostics(const limen_decision *decision)
{
	return decision == NULL ? NULL : decision->diagnostics.text;
}

static const char *const *
give_names(const names *list, size_t *count)
{
	if (count != NULL)
		*count = list == NULL ? 0 : list->count;
	return list == NULL ? NULL : list->items;
}

const char *const *
limen_decision_identifiers(const limen_decision *decision, size_t *count)
{
	return give_names(decision == NULL ? NULL : &decision->identifiers, count);
}

const char *const *
limen_decision_classifiers(const limen_decision *decision, size_t *count)
{
	return give_names(decision == NULL ? NULL : &decision->classifiers, count);
}

bool
limen_decision_priority(const limen_decision *decision, double *out)
{
	if (decision == NULL || out == NULL || !decision->has_priority)
		return false;
	*out = decision->priority;
	return true;
}

static limen_value
root_or_none(const document *doc)
{
	return doc == NULL ? limen_value_none() : document_root(doc);
}

limen_value
limen_decision_rewritten(const limen_decision *decision)
{
	revision *rewritten = decision == NULL ? NULL : decision->rewritten;

	return root_or_none(rewritten == NULL ? NULL : revision_document(rewritten));
}

limen_value
limen_decision_patch(const limen_decision *decision)
{
	return root_or_none(decision == NULL ? NULL : decision->patch);
}

limen_value
limen_decision_details(const limen_decision *decision)
{
	return root_or_none(decision == NULL ? NULL : decision->details);
}

const char *const *
limen_decision_warnings(const limen_decision *decision, size_t *count)
{
	if (decision == NULL)
		return give_names(NULL, count);
	return give_names(&(names){ decision->warning_items, decision->warnings.count }, count);
}

bool
limen_decision_retry_after(const limen_decision *decision, limen_duration *out)
{
	if (decision == NULL || out == NULL || decision->retry_after < 0)
		return false;
	*out = decision->retry_after;
	return true;
}

const limen_annotation *
limen_decision_annotation(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->annotations.count ? &decision->annotation_items[index] : NULL;
}

const limen_observed *
limen_decision_observed(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->observed.count ? &decision->observed_items[index] : NULL;
}

const limen_origin *
limen_decision_origin(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->origins.count ? &decision->origin_items[index] : NULL;
}

const limen_trace *
limen_decision_trace(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->trace.count ? &decision->trace_items[index] : NULL;
}

const limen_step *
limen_decision_step(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->steps.count ? &decision->step_items[index] : NULL;
}

const limen_trace *
limen_decision_unexplained(const limen_decision *decision)
{
	return decision == NULL ? NULL : decision->unexplained;
}

const limen_change *
limen_decision_change(const limen_decision *decision, size_t index)
{
	return decision != NULL && index < decision->change_count ? &decision->changes[index] : NULL;
}

void
decision_names(limen_decision *decision, const char *prefix, const names *list)
{
	strbuf *out = &decision->diagnostics;

	if (!decision->wants_diagnostics)
		return;
	account_begin(out, "");
	strbuf_adds(out, prefix);
	for (size_t i = 0; i < list->count; i++) {
		strbuf_adds(out, i == 0 ? " " : ", ");
		strbuf_adds(out, list->items[i]);
	}
}
