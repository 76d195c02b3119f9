/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_string.h - the position and the error of a JSON reader, and strings with
 * escapes (RFC 8259 section 7).
 */
#ifndef LIMEN_CORE_READER_JSON_STRING_H
#define LIMEN_CORE_READER_JSON_STRING_H

#include <limen/types.h>

typedef struct json_cursor {
	const char *text; /* valid UTF-8, once that is checked */
	size_t length;
	size_t at;
	const char *error; /* the error message, static; NULL: no error */
	size_t error_at;
} json_cursor;

/* Stores 'error' at byte 'offset' and returns false. */
bool json_fail(json_cursor *in, size_t offset, const char *error);

/* Checks a text that is not all ASCII: it must be UTF-8, without a byte order mark. */
bool json_check_utf8(json_cursor *in);

/*
 * Reads the string whose opening quote is next and steps behind it.  Writes the decoded
 * text, which is never longer than its source, and a NUL to '*out', and moves '*out' to
 * that NUL.  'marks' are those of the text (json_block.h) and of the zero behind it.
 * Returns false after json_fail().
 */
bool json_string_read(json_cursor *in, const uint64_t *marks, char **out);

#endif
