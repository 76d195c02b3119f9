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

/* The last byte before 'at' that is no white space; NUL if there is none. */
static char
find_before(const char *text, size_t at)
{
	while (at > 0 && is_space(text[at - 1]))
		at--;
	return at == 0 ? '\0' : text[at - 1];
}

const char *
json_hint(const char *text, size_t length, size_t at)
{
	if (at >= length)
		return find_before(text, length) == '\0' ? "there is nothing in it" : NULL;
	if (text[at] == '\xEF' && at == 0)
		return "save it without a byte order mark";
	if ((text[at] == '}' || text[at] == ']') && find_before(text, at) == ',')
		return "remove the comma before it";
	if (text[at] == '/')
		return "JSON has no comments; a key that begins with \"#\" is one";
	if (text[at] == '\'')
		return "texts stand in double quotes";
	return NULL;
}
