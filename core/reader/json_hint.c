/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_hint.c - returns a hint for common mistakes in JSON: an empty text, a byte order mark, a
 * trailing comma, a comment or single quotes.
 */
#include "json_hint.h"

#include <stdbool.h>

static bool
is_space(char byte)
{
	return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* Returns the last byte before 'offset' that is not white space; NUL if there is none. */
static char
find_before(const char *text, size_t offset)
{
	while (offset > 0 && is_space(text[offset - 1]))
		offset--;
	return offset == 0 ? '\0' : text[offset - 1];
}

const char *
json_hint(const char *text, size_t length, size_t offset)
{
	if (offset >= length)
		return find_before(text, length) == '\0' ? "there is nothing in it" : NULL;
	if (text[offset] == '\xEF' && offset == 0)
		return "save it without a byte order mark";
	if ((text[offset] == '}' || text[offset] == ']') && find_before(text, offset) == ',')
		return "remove the comma before it";
	if (text[offset] == '/')
		return "JSON has no comments; a key that begins with \"#\" is one";
	if (text[offset] == '\'')
		return "texts stand in double quotes";
	return NULL;
}
