/* SPDX-License-Identifier: Apache-2.0 */
/* plain_text.h - reads a text of a document as a C string. */
#ifndef LIMEN_PROGRAM_PLAIN_TEXT_H
#define LIMEN_PROGRAM_PLAIN_TEXT_H

#include <limen/value.h>
#include <stdbool.h>
#include <string.h>

/*
 * Stores the text of 'value', NULL if it is absent or null.  Returns false, and stores NULL, if
 * it has another type or holds a NUL, where the C string would end too early.
 */
static inline bool
plain_text(limen_value value, const char **out)
{
	size_t length = 0;

	*out = limen_value_string(value, &length);
	if (*out != NULL && strlen(*out) == length)
		return true;
	*out = NULL;
	return !limen_value_exists(value) || limen_value_type(value) == LIMEN_TYPE_NULL;
}

#endif
