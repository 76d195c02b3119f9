/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.c - reads pattern lists and matches text against them.  The matcher takes the first
 * occurrence of each part between stars and never backtracks.
 */
#include "pattern.h"

#include <string.h>

bool
pattern_list_read(pattern_list *out, limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	limen_value element;

	*out = (pattern_list){ .values = value, .count = 1 };
	switch (limen_value_type(value)) {
	case LIMEN_TYPE_NONE:
		out->count = 0;
		return true;
	case LIMEN_TYPE_STRING:
		return true;
	case LIMEN_TYPE_ARRAY:
		out->count = limen_value_count(value);
		break;
	default:
		return false;
	}
	while (limen_iter_next(&iter, NULL, &element)) {
		if (limen_value_type(element) != LIMEN_TYPE_STRING)
			return false;
	}
	return true;
}

/* Is what stands between two stars at 'text', of which 'length' bytes are left? */
static bool
starts_with(const char *text, size_t length, const char *part, size_t size)
{
	return size <= length && memcmp(text, part, size) == 0;
}

/*
 * Takes the first occurrence of each text between stars: if any choice leads to a
 * match, the first does, so no backtracking is needed.
 */
static bool
match_pattern(const char *pattern, size_t size, const char *text, size_t length)
{
	const char *end = pattern + size;
	const char *star = memchr(pattern, '*', size);

	if (star == NULL)
		return size == length && memcmp(pattern, text, size) == 0;
	if (!starts_with(text, length, pattern, (size_t)(star - pattern)))
		return false;
	text += star - pattern;
	length -= (size_t)(star - pattern);
	for (;;) {
		const char *part = star + 1;
		size_t left = (size_t)(end - part);
		const char *found;

		star = memchr(part, '*', left);
		if (star == NULL)
			return left <= length && memcmp(text + length - left, part, left) == 0;
		found = memmem(text, length, part, (size_t)(star - part));
		if (found == NULL)
			return false;
		found += star - part;
		length -= (size_t)(found - text);
		text = found;
	}
}

static bool
match_value(limen_value pattern, const char *text, size_t length)
{
	size_t size = 0;
	const char *characters = limen_value_string(pattern, &size);

	return characters != NULL && match_pattern(characters, size, text, length);
}

bool
pattern_list_match(const pattern_list *list, const char *text, size_t length)
{
	limen_iter iter = limen_iter_start(list->values);
	limen_value pattern;

	if (list->count == 0)
		return false;
	if (limen_value_type(list->values) == LIMEN_TYPE_STRING)
		return match_value(list->values, text, length);
	while (limen_iter_next(&iter, NULL, &pattern)) {
		if (match_value(pattern, text, length))
			return true;
	}
	return false;
}
