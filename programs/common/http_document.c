/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_document.c - escapes bytes that are not UTF-8, and groups header fields by their names.
 */
#include "http_document.h"

#include <glib.h>
#include <stdlib.h>

#include "print.h"

void
http_document_text(limen_builder *build, const char *key, const char *text, size_t length)
{
	GString *escaped;

	if (g_utf8_validate_len(text, length, NULL)) {
		limen_builder_string(build, key, text, length);
		return;
	}
	escaped = g_string_sized_new(3 * length);
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x80)
			g_string_append_c(escaped, text[i]);
		else
			print_append(escaped, "%%%02X", (unsigned)(unsigned char)text[i]);
	}
	limen_builder_string(build, key, escaped->str, escaped->len);
	g_string_free(escaped, TRUE);
}

void
http_document_field(limen_builder *build, const char *name, const http_pair *const *values,
                    size_t count)
{
	if (count == 0)
		return;
	if (count > 1)
		limen_builder_array(build, name);
	for (size_t i = 0; i < count; i++)
		http_document_text(build, count > 1 ? NULL : name, values[i]->value,
		                   values[i]->length);
	if (count > 1)
		limen_builder_end(build);
}

static int
compare_names(const http_pair *a, const http_pair *b)
{
	int order = g_ascii_strncasecmp(a->name, b->name, MIN(a->name_length, b->name_length));

	return order != 0 ? order : (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

/* The order of names, and of fields with the same name that of the request. */
static int
compare(const void *a, const void *b)
{
	const http_pair *first = *(const http_pair *const *)a;
	const http_pair *second = *(const http_pair *const *)b;
	int order = compare_names(first, second);

	return order != 0 ? order : (first > second) - (first < second);
}

void
http_document_fields(limen_builder *build, const http_pair *fields, size_t count)
{
	const http_pair **sorted = g_newa(const http_pair *, count);
	size_t end;

	for (size_t i = 0; i < count; i++)
		sorted[i] = &fields[i];
	qsort(sorted, count, sizeof(const http_pair *), compare);
	for (size_t i = 0; i < count; i = end) {
		char *name = g_ascii_strdown(sorted[i]->name, (gssize)sorted[i]->name_length);

		end = i + 1;
		while (end < count && compare_names(sorted[end], sorted[i]) == 0)
			end++;
		http_document_field(build, name, sorted + i, end - i);
		g_free(name);
	}
}
