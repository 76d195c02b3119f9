/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c - reads pattern lists and matches text against them. */
#include "pattern.h"

#include <limen/selector.h>
#include <string.h>

limen_value
pattern_list_at(const pattern_list *list, size_t index)
{
	return limen_value_type(list->values) == LIMEN_TYPE_ARRAY
	               ? limen_value_at(list->values, index)
	               : list->values;
}

bool
pattern_list_read(pattern_list *out, limen_value value)
{
	*out = (pattern_list){ .values = value };
	if (limen_value_exists(value))
		out->count = limen_value_type(value) == LIMEN_TYPE_ARRAY
		                     ? limen_value_count(value)
		                     : 1;
	for (size_t i = 0; i < out->count; i++) {
		size_t length = 0;
		const char *text = limen_value_string(pattern_list_at(out, i), &length);

		/* A pattern ends at its first NUL. */
		if (text == NULL || strlen(text) != length)
			return false;
	}
	return true;
}

bool
pattern_list_match(const pattern_list *list, const char *text, size_t length)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *pattern = limen_value_string(pattern_list_at(list, i), NULL);

		if (limen_glob_match(pattern, text, length))
			return true;
	}
	return false;
}
