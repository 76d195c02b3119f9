/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - counts the values of a JSON text before it is read.  A document takes 24 bytes
 * for each, so that a text of two bytes a value takes twelve times its length.
 */
#include "budget.h"
#include "jq.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the closing quote of the string that begins at 'at', or the end of the text. */
static size_t
skip_string(const char *text, size_t length, size_t at)
{
	for (at++; at < length && text[at] != '"'; at++) {
		if (text[at] == '\\')
			at++;
	}
	return at;
}

/* A value begins at the start, after a comma, and in a container that does not end at once. */
bool
jq_text_fits(const char *text, size_t length)
{
	size_t values = 1;
	bool opened = false; /* a container, and nothing was in it yet */

	for (size_t i = 0; i < length && values <= BUDGET_VALUES; i++) {
		char c = text[i];

		if (is_blank(c))
			continue;
		if (c == ',' || (opened && c != ']' && c != '}'))
			values++;
		opened = c == '[' || c == '{';
		if (c == '"')
			i = skip_string(text, length, i);
	}
	return values <= BUDGET_VALUES;
}
