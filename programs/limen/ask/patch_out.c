/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch_out.c - collects the patch operations of one document, makes their paths relative to that
 * document, and prints one line per document.  The line is null if an object in it was refused.
 */
#include "patch_out.h"

#include <stdio.h>

#include "common/json_out.h"

/* Prints the empty patches of the documents before 'document' that have none yet. */
static void
fill(patch_out *out, size_t document)
{
	for (; out->printed < document; out->printed++)
		puts("[]");
}

static void
flush(patch_out *out)
{
	if (out->operations == NULL)
		return;
	g_string_append(out->operations, "]\n");
	fputs(out->refused ? "null\n" : out->operations->str, stdout);
	g_string_free(out->operations, TRUE);
	*out = (patch_out){ .printed = out->document + 1 };
}

static void
begin(patch_out *out, size_t document)
{
	if (out->document != document)
		flush(out);
	fill(out, document);
	if (out->operations == NULL)
		out->operations = g_string_new("[");
	out->document = document;
}

/* Appends an operation with its path relative to the document. */
static void
add_operation(GString *out, const char *pointer, limen_value operation)
{
	const char *path = limen_value_string(limen_value_get(operation, "path"), NULL);
	char *whole = g_strconcat(pointer, path, NULL);
	limen_iter iter = limen_iter_start(operation);
	limen_value key, member;

	json_open(out, '{');
	while (limen_iter_next(&iter, &key, &member)) {
		json_key(out, limen_value_string(key, NULL));
		if (limen_value_is(key, "path"))
			json_string(out, whole);
		else
			json_value(out, member);
	}
	g_string_append_c(out, '}');
	g_free(whole);
}

void
patch_out_add(patch_out *out, const subject *about, const limen_decision *decision)
{
	limen_iter iter = limen_iter_start(limen_decision_patch(decision));
	limen_value operation;

	begin(out, about->document);
	out->refused = out->refused || !limen_decision_admitted(decision);
	while (limen_iter_next(&iter, NULL, &operation))
		add_operation(out->operations, about->pointer, operation);
}

void
patch_out_refuse(patch_out *out, const subject *about)
{
	begin(out, about->document);
	out->refused = true;
}

void
patch_out_finish(patch_out *out, size_t documents)
{
	flush(out);
	fill(out, documents);
}
