/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - writes the hints into the diagnostics: without them operators cannot see why
 * a requester was not identified.
 */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "document/document.h"

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

	return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
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
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_hints);
	return list;
}

/* Shows a NUL as \x00: a hint "requester\0x" must not look like "requester". */
static void
show_nuls(strbuf *out, const char *text, size_t length)
{
	const char *end = text + length;

	for (const char *nul = memchr(text, '\0', length); nul != NULL;
	     nul = memchr(text, '\0', (size_t)(end - text))) {
		strbuf_add(out, text, (size_t)(nul - text));
		strbuf_adds(out, "\\x00");
		text = nul + 1;
	}
	strbuf_add(out, text, (size_t)(end - text));
}

static void
add_visible(strbuf *out, limen_value value)
{
	size_t length;
	const char *text = limen_value_string(value, &length);
	strbuf plain = STRBUF_INIT;

	if (text != NULL) {
		show_nuls(out, text, length);
		return;
	}
	value_str(&plain, value);
	show_nuls(out, plain.length == 0 ? "" : plain.text, plain.length);
	out->failed = out->failed || plain.failed;
	strbuf_free(&plain);
}

OUTLINE void
hints_write(limen_decision *decision, limen_value hints)
{
	size_t count = limen_value_count(hints);
	strbuf *out = &decision->diagnostics;
	hint *list;

	if (count == 0)
		return;
	decision_say(decision, "Hints:");
	list = sort_hints(hints, &decision->arena);
	out->failed = out->failed || list == NULL;
	for (size_t i = 0; list != NULL && i < count; i++) {
		size_t start = account_begin(out, "  ");

		add_visible(out, list[i].key);
		strbuf_adds(out, ": ");
		add_visible(out, list[i].value);
		account_end(out, "  ", start);
	}
}
