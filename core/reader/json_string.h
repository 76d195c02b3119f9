/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_string.h - the position and the error of a JSON reader, and rare or invalid scalars:
 * strings with escapes, and numbers other than plain integers.
 */
#ifndef LIMEN_CORE_READER_JSON_STRING_H
#define LIMEN_CORE_READER_JSON_STRING_H

#include <limen/value.h>

#include "base/arena.h"

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

typedef struct json_token {
	limen_type type;
	const char *text;
	size_t length;
	size_t end; /* the byte of the source behind it */
} json_token;

/* The state of tokenizing one text. */
typedef struct json_tokens {
	json_cursor *cursor; /* the text and its error */
	arena *texts;        /* of strings with escapes */
	char *spare;         /* place for the next of them, or NULL */
	bool nan;            /* NaN, Infinity and -Infinity are numbers, too */
} json_tokens;

/*
 * Read the string, with json_block_mark() of the whole text, or the number that
 * begins at byte 'offset'.  False with an error, or without one when memory is short.
 */
bool json_token_string(json_tokens *in, const uint64_t *marks, size_t offset, json_token *out);
bool json_token_number(json_tokens *in, size_t offset, json_token *out);

#endif
