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

static text_item *
find(const text_list *annotations, const char *key)
{
	text_item *one = annotations->first;

	while (one != NULL && strcmp(one->key, key) != 0)
		one = one->next;
	return one;
}

/* Joins 'before' (NULL: none) and 'texts'; sets '*cut' if the result had to be cut. */
static const char *
join(arena *memory, const char *before, const text_list *texts, bool *cut)
{
	strbuf joined = STRBUF_INIT;
	const char *copy = NULL;

	*cut = false;
	/* Most annotations are one short text, which lives as long as the decision. */
	if (before == NULL && texts->count == 1 &&
	    strnlen(texts->first->text, ANNOTATION_MAX + 1) <= ANNOTATION_MAX)
		return texts->first->text;
	if (before != NULL)
		strbuf_adds(&joined, before);
	for (const text_item *one = texts->first; one != NULL; one = one->next) {
		if (before != NULL || one != texts->first)
			strbuf_adds(&joined, BETWEEN);
		strbuf_adds(&joined, one->text);
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
decision_annotate(limen_decision *decision, const char *key, const text_list *texts)
{
	arena *memory = &decision->arena;
	text_item *known = find(&decision->annotations, key);
	const char *text;
	bool cut;

	if (known != NULL && known->number != 0)
		return true;
	text = join(memory, known == NULL ? NULL : known->text, texts, &cut);
	if (known == NULL && text != NULL) {
		key = arena_strdup(memory, key);
		return key != NULL &&
		       text_list_add(&decision->annotations, memory, key, text, cut);
	}
	if (text == NULL)
		return false;
	known->text = text;
	known->number = cut;
	return true;
}

/* Takes the items of one key from the start of a list out of it, those that follow each other. */
static text_list
take_run(text_item **rest)
{
	text_item *last = *rest;
	text_list run = { .first = last, .count = 1 };

	while (last->next != NULL && strcmp(last->next->key, run.first->key) == 0) {
		last = last->next;
		run.count++;
	}
	*rest = last->next;
	last->next = NULL;
	return run;
}

/* Finds repeated annotations: entries are asked twice, to change an object and to check it. */
static bool
is_said(const limen_decision *decision, const text_list *run)
{
	const text_item *known = find(&decision->annotations, run->first->key);

	return known != NULL && run->count == 1 && strcmp(known->text, run->first->text) == 0;
}

bool
decision_take_annotations(limen_decision *decision, const text_list *said)
{
	text_item *rest = said->first;

	while (rest != NULL) {
		text_list run = take_run(&rest);

		if (!is_said(decision, &run) &&
		    !decision_annotate(decision, run.first->key, &run))
			return false;
	}
	return true;
}
