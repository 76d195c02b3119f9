/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_token.c - reads JSON strings with escapes into one shared block of the arena, and JSON
 * numbers.  It accepts NaN and Infinity if the caller does.
 */
#include "json_token.h"

#include <string.h>

#include "scalar/scalar.h"

/*
 * Reserves one block for all strings with escapes.  Escapes are longer than the decoded
 * characters, so as many bytes as the rest of the text has are enough, with a NUL for
 * each closing quote.
 */
static char *
reserve_rest(json_tokens *in, size_t offset)
{
	if (in->spare == NULL)
		in->spare = arena_alloc(in->texts, in->cursor->length - offset);
	return in->spare;
}

bool
json_token_string(json_tokens *in, const uint64_t *marks, size_t offset, json_token *out)
{
	char *copy = reserve_rest(in, offset);
	char *end = copy;

	in->cursor->at = offset;
	if (copy == NULL || !json_string_read(in->cursor, marks, &end))
		return false;
	*out = (json_token){ LIMEN_TYPE_STRING, copy, (size_t)(end - copy), in->cursor->at };
	in->spare = end + 1;
	return true;
}

/* Returns the length of NaN, Infinity or -Infinity at 'text', or 0. */
static size_t
scan_word(const char *text)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i]);

		if (strncmp(text, words[i], length) == 0)
			return length;
	}
	return 0;
}

bool
json_token_number(json_tokens *in, size_t offset, json_token *out)
{
	const char *text = in->cursor->text + offset;
	size_t length = number_scan(text, in->cursor->length - offset);
	limen_type type;

	if (length == 0 && in->nan)
		length = scan_word(text);
	if (length == 0)
		return json_fail(in->cursor, offset, "Expecting value");
	type = number_is_integer(text, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;
	*out = (json_token){ type, text, length, offset + length };
	return true;
}
