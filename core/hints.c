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
	size_t length;
	limen_value key;
	limen_value value;
} hint;

static int
compare_hints(const void *a, const void *b)
{
	const hint *one = a;
	const hint *other = b;
	size_t shorter = one->length < other->length ? one->length : other->length;
	int order = memcmp(one->name, other->name, shorter);

	if (order != 0)
		return order;
	return (one->length > other->length) - (one->length < other->length);
}

static hint *
sort_hints(limen_value hints, arena *memory)
{
	hint *list = arena_calloc(memory, limen_value_count(hints), sizeof(*list));
	limen_iter iter = limen_iter_start(hints);
	size_t count = 0;

	while (list != NULL && limen_iter_next(&iter, &list[count].key, &list[count].value)) {
		list[count].name = limen_value_string(list[count].key, &list[count].length);
		count++;
		if (count == limen_value_count(hints))
			break;
	}
	if (list != NULL)
		qsort(list, count, sizeof(*list), compare_hints);
	return list;
}

/* A NUL would hide what follows it: a hint "requester\0x" must not look like the real one. */
static void
add_visible(strbuf *out, limen_value text)
{
	strbuf plain = STRBUF_INIT;

	value_str(&plain, text);
	for (size_t i = 0; i < plain.length; i++) {
		if (plain.text[i] == '\0')
			strbuf_adds(out, "\\x00");
		else
			strbuf_addc(out, plain.text[i]);
	}
	out->failed = out->failed || plain.failed;
	strbuf_free(&plain);
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
	decision->diagnostics.failed = decision->diagnostics.failed || list == NULL;
	for (size_t i = 0; list != NULL && i < count; i++) {
		strbuf line = STRBUF_INIT;

		add_visible(&line, list[i].key);
		strbuf_adds(&line, ": ");
		add_visible(&line, list[i].value);
		decision_line(decision, "  ", "%s", line.text == NULL ? "" : line.text);
		strbuf_free(&line);
	}
}
