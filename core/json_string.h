/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_string.h - where the reader of JSON is in its text, and the strings of
 * JSON (RFC 8259 section 7), escapes resolved.
 */
#ifndef LIMEN_CORE_JSON_STRING_H
#define LIMEN_CORE_JSON_STRING_H

#include "strbuf.h"

typedef struct json_cursor {
	const char *text; /* valid UTF-8 */
	size_t length;
	size_t at;
	const char *error; /* what is wrong, static; NULL if nothing is */
	size_t error_at;
} json_cursor;

/* Remembers what is wrong at byte 'at' and returns false. */
bool json_fail(json_cursor *in, size_t at, const char *error);

/* Is the next character 'c'?  The end of the text is no character. */
static inline bool
json_is_next(const json_cursor *in, char c)
{
	return in->at < in->length && in->text[in->at] == c;
}

/*
 * Reads the string whose opening quote is next and steps behind it.  '*text'
 * points into the cursor's text, or into 'scratch' if there were escapes; it is
 * worthless if 'scratch' has failed.  Returns false after json_fail().
 */
bool json_string_read(json_cursor *in, strbuf *scratch, const char **text, size_t *length);

#endif
