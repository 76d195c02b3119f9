/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_lookup.c - resolves names in a policy to indexes and reports unknown ones.  It caps the
 * number of suggestions, because each one compares the name with every entry.
 */
#include <limen/nearest.h>

#include "name_lookup.h"


#define GUESSES_MAX 20

bool
names_may_guess(compile_context *context)
{
	if (context->guesses >= GUESSES_MAX)
		return false;
	context->guesses++;
	return true;
}

void
names_report(compile_context *context, const name_lookup *lookup, const char *name,
             limen_value where)
{
	size_t count = names_may_guess(context) ? lookup->list->count : 0;
	limen_nearest best = limen_nearest_to(name);

	for (size_t i = 0; i < count; i++)
		if (lookup->list->items[i].name != NULL)
			limen_nearest_offer(&best, lookup->list->items[i].name);
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where, "Unknown %s: %s", lookup->noun,
	               name);
	if (best.word != NULL)
		limen_diag_hint(context->diag, "did you mean '%s'?", best.word);
	else if (classifier_index(context->policy, name) != SIZE_MAX)
		limen_diag_hint(context->diag, "'%s' is a classifier", name);
}

index_list
names_resolve(compile_context *context, const name_lookup *lookup, const limen_strings *wanted,
              limen_value where)
{
	size_t *items = compile_alloc(context, wanted->count, sizeof(*items));
	limen_iter iter = limen_iter_start(where);
	limen_value element;

	if (items == NULL)
		return (index_list){ NULL, 0 };
	for (size_t i = 0; i < wanted->count; i++) {
		items[i] = entry_index(lookup->list, wanted->items[i]);
		limen_iter_next(&iter, NULL, &element);
		if (items[i] == SIZE_MAX)
			names_report(context, lookup, wanted->items[i], element);
		else
			lookup->list->items[items[i]].used = true;
	}
	return (index_list){ items, wanted->count };
}
