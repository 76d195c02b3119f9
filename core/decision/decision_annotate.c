/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_annotate.c - collects the audit annotations of modules and of observing entries.
 */
#include <string.h>

#include "decision_state.h"
#include "base/utf8.h"

/* In bytes: an API server writes every annotation into its log, of every request. */
#define ANNOTATION_MAX ((size_t)32 << 10)

#define BETWEEN "; "
#define CUT     "..."

static annotation_item *
find(const item_list *annotations, const char *key)
{
	annotation_item *item = annotations->first;

	while (item != NULL && strcmp(item->annotation.key, key) != 0)
		item = item->next;
	return item;
}

/* Joins 'before' (NULL: none) and 'texts'; sets '*cut' if the result had to be cut. */
static const char *
join(arena *memory, const char *before, const item_list *texts, bool *cut)
{
	const text_item *first = texts->first;
	strbuf joined = STRBUF_INIT;
	const char *copy = NULL;

	*cut = false;
	/* Most annotations are one short text, which lives as long as the decision. */
	if (before == NULL && texts->count == 1 &&
	    strnlen(first->text, ANNOTATION_MAX + 1) <= ANNOTATION_MAX)
		return first->text;
	if (before != NULL)
		strbuf_adds(&joined, before);
	for (const text_item *item = first; item != NULL; item = item->next) {
		if (before != NULL || item != first)
			strbuf_adds(&joined, BETWEEN);
		strbuf_adds(&joined, item->text);
	}
	*cut = joined.length > ANNOTATION_MAX;
	if (*cut) {
		joined.length = utf8_valid(joined.text, ANNOTATION_MAX - strlen(CUT));
		strbuf_adds(&joined, CUT);
	}
	if (!joined.failed)
		copy = arena_strndup(memory, joined.text, joined.length);
	strbuf_free(&joined);
	return copy;
}

bool
decision_annotate(limen_decision *decision, const char *key, const item_list *texts)
{
	arena *memory = &decision->arena;
	annotation_item *known = find(&decision->annotations, key);
	const char *text;
	bool cut;

	if (known != NULL && known->cut)
		return true;
	text = join(memory, known == NULL ? NULL : known->annotation.value, texts, &cut);
	if (text == NULL)
		return false;
	if (known == NULL) {
		key = arena_strdup(memory, key);
		if (!annotation_list_add(&decision->annotations, memory, key, text))
			return false;
		known = find(&decision->annotations, key);
	}
	known->annotation.value = text;
	known->cut = cut;
	return true;
}

/* Adds a violation, unless it is known: an entry is asked twice, and several applications may ask a limit. */
static bool
observe_violation(limen_decision *decision, observed_item *item, const char *pods,
                  const limen_violation *found)
{
	limen_violation *added = &item->violations[item->observed.violation_count];

	*added = *found;
	added->message = pods == NULL ? arena_strdup(&decision->arena, found->message)
	                              : arena_printf(&decision->arena, "%s: %s", pods, found->message);
	if (added->message == NULL)
		return false;
	for (const limen_violation *known = item->violations; known != added; known++)
		if (strcmp(known->message, added->message) == 0)
			return true;
	item->observed.violation_count++;
	return true;
}

bool
decision_observe(limen_decision *decision, const char *rule, const char *word, const char *pods,
                 const item_list *violations)
{
	observed_item *item = decision->observed.first;
	const violation_item *found = violations->first;

	/* An entry is asked about each pod of a workload. */
	while (item != NULL && strcmp(item->observed.entry, rule) != 0)
		item = item->next;
	if (item == NULL) {
		const char *name = arena_strdup(&decision->arena, rule);

		/* The list holds no entry without a name: another limit is compared with all of them. */
		item = name == NULL ? NULL : item_list_add(&decision->observed, &decision->arena, sizeof(*item));
		if (item == NULL)
			return false;
		item->observed = (limen_observed){ name, word, item->violations, 0 };
	}
	for (; found != NULL && item->observed.violation_count < LIMEN_OBSERVED_VIOLATIONS;
	     found = found->next)
		if (!observe_violation(decision, item, pods, &found->violation))
			return false;
	return true;
}

bool
decision_take_annotations(limen_decision *decision, const item_list *said)
{
	for (const annotation_item *item = said->first, *last; item != NULL; item = last) {
		const limen_annotation *first = &item->annotation;
		const annotation_item *known;
		item_list texts = { .count = 0 };

		/* Texts of one key that follow each other are one annotation. */
		for (last = item; last != NULL && strcmp(last->annotation.key, first->key) == 0;
		     last = last->next)
			if (!text_list_add(&texts, &decision->arena, last->annotation.value))
				return false;
		/* Entries are asked twice, to change an object and to check it. */
		known = find(&decision->annotations, first->key);
		if (!(texts.count == 1 && known != NULL &&
		      strcmp(known->annotation.value, first->value) == 0) &&
		    !decision_annotate(decision, first->key, &texts))
			return false;
	}
	return true;
}
