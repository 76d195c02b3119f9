/* SPDX-License-Identifier: Apache-2.0 */
/*
 * documents.h - for tests of the document layer: documents from literals, and
 * random ones that are the same in every run.
 */
#ifndef LIMEN_TESTS_CORE_DOCUMENTS_H
#define LIMEN_TESTS_CORE_DOCUMENTS_H

#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "reader/reader.h"

/* Reads a JSON text that is known to be right. */
static inline document *
read_literal(const char *text)
{
	document *doc = json_read("literal", text, strlen(text), READ_NAN, NULL);

	if (doc == NULL)
		abort();
	return doc;
}

/* Follows a JSON pointer that is known to be right. */
static inline limen_value
find_value(const document *doc, const char *pointer)
{
	limen_path *path;
	limen_value found;

	if (limen_path_new(pointer, strlen(pointer), &path) != LIMEN_OK)
		abort();
	found = limen_value_find(document_root(doc), path);
	limen_path_free(path);
	return found;
}

/* Does 'value' print as 'expected', on one line? */
static inline bool
prints_as(limen_value value, const char *expected)
{
	char *text = limen_value_to_json(value, 0, NULL);
	bool same = text != NULL && strcmp(text, expected) == 0;

	free(text);
	return same;
}

/* A sequence of numbers that look random (Marsaglia's xorshift). */
static inline uint32_t
draw(uint64_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 33) % below;
}

static inline void
build_random_string(builder *build, uint64_t *state)
{
	static const char *const pieces[] = { "a", "b", "/", "~", "\"", "\\", "\n", "\x01", "#",
		"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "'", " ", "\x7F", "0" };
	char text[32] = "";
	uint32_t count = draw(state, 6);

	for (uint32_t i = 0; i < count; i++)
		strcat(text, pieces[draw(state, sizeof(pieces) / sizeof(pieces[0]))]);
	builder_string(build, ORIGIN_NONE, 0, text, strlen(text));
}

static inline void
build_random_scalar(builder *build, uint64_t *state)
{
	static const char *const numbers[] = { "0", "-0", "1", "-17", "9223372036854775807",
		"123456789012345678901234567890", "0.1", "1e3", "-2.5E-7", "1e400" };
	const char *number = numbers[draw(state, sizeof(numbers) / sizeof(numbers[0]))];

	switch (draw(state, 4)) {
	case 0:
		builder_null(build, ORIGIN_NONE, 0);
		break;
	case 1:
		builder_bool(build, ORIGIN_NONE, 0, draw(state, 2) == 1);
		break;
	case 2:
		builder_number(build, ORIGIN_NONE, 0, number, strlen(number));
		break;
	default:
		build_random_string(build, state);
	}
}

static inline void
build_random(builder *build, uint64_t *state, int depth)
{
	bool object = draw(state, 2) == 1;
	uint32_t count = draw(state, depth == 0 ? 40 : 6);

	if (depth > 4 || (depth > 0 && draw(state, 3) == 0)) {
		build_random_scalar(build, state);
		return;
	}
	if (object)
		builder_begin_object(build, ORIGIN_NONE, 0);
	else
		builder_begin_array(build, ORIGIN_NONE, 0);
	for (uint32_t i = 0; i < count; i++) {
		if (object)
			build_random_string(build, state);
		build_random(build, state, depth + 1);
	}
	builder_end(build);
}

static inline document *
make_random(uint64_t *state)
{
	builder *build = builder_new();

	build_random(build, state, 0);
	return builder_finish(build);
}

#endif
