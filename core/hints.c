/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - hints in the diagnostics: operators cannot tell why someone was not
 * identified without seeing what was known about him.
 */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "value_repr.h"

typedef struct hint {
	const char *name;
	limen_value value;
} hint;

static int
compare_hints(const void *a, const void *b)
{
	return strcmp(((const hint *)a)->name, ((const hint *)b)->name);
}

static hint *
sort_hints(limen_value hints, arena *memory)
{
	hint *list = arena_calloc(memory, limen_value_count(hints), sizeof(*list));
	limen_iter iter = limen_iter_start(hints);
	limen_value key, value;
	size_t count = 0;

	while (list != NULL && limen_iter_next(&iter, &key, &value)) {
		list[count].name = limen_value_string(key, NULL);
		list[count].value = value;
		count++;
	}
	if (list != NULL)
		qsort(list, count, sizeof(*list), compare_hints);
	return list;
}

void
hints_write(limen_decision *decision, limen_value hints)
{
	size_t count = limen_value_count(hints);
	hint *list;

	if (!decision->wants_diagnostics || count == 0)
		return;
	decision_line(decision, "", "Hints:");
	list = sort_hints(hints, &decision->arena);
	for (size_t i = 0; list != NULL && i < count; i++) {
		strbuf value = STRBUF_INIT;

		value_str(&value, list[i].value);
		decision_line(decision, "  ", "%s: %s", list[i].name,
		              value.text == NULL ? "" : value.text);
		strbuf_free(&value);
	}
}
