/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c - reads pattern lists and matches text against them. */
#include "event_rate_limit.h"

#include <limen/string_match.h>
#include <string.h>

limen_value
pattern_list_next(const pattern_list *list, limen_iter *iter)
{
	limen_value pattern = list->values;

	if (limen_value_type(pattern) == LIMEN_TYPE_ARRAY)
		limen_iter_next(iter, NULL, &pattern);
	return pattern;
}

bool
pattern_list_read(pattern_list *out, limen_value value)
{
	limen_iter iter = limen_iter_start(value);

	*out = (pattern_list){ .values = value };
	if (limen_value_exists(value))
		out->count = limen_value_type(value) == LIMEN_TYPE_ARRAY
		                     ? limen_value_count(value)
		                     : 1;
	for (size_t i = 0; i < out->count; i++) {
		size_t length = 0;
		const char *text = limen_value_string(pattern_list_next(out, &iter), &length);

		/* A pattern ends at its first NUL. */
		if (text == NULL || strlen(text) != length)
			return false;
	}
	return true;
}

bool
pattern_list_match(const pattern_list *list, const char *text, size_t length)
{
	limen_iter iter = limen_iter_start(list->values);

	for (size_t i = 0; i < list->count; i++) {
		const char *pattern = limen_value_string(pattern_list_next(list, &iter), NULL);

		if (limen_glob_match(pattern, text, length))
			return true;
	}
	return false;
}
