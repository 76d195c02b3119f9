/* SPDX-License-Identifier: Apache-2.0 */
/*
 * markup.c - escapes text for HTML and XML, with blanks for the characters that neither has.
 */
#include "markup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/control.h"

/* U+FFFE and U+FFFF, which are no characters of XML 1.0 (2.2), in UTF-8. */
static bool
is_no_character(const char *at)
{
	return at[0] == '\xef' && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf');
}

void
markup_append(GString *out, const char *text)
{
	char *valid = g_utf8_make_valid(text == NULL ? "" : text, -1);
	char *escaped;

	for (char *at = valid; *at != '\0'; at++) {
		size_t control = control_length(at);

		if (control > 0 && *at != '\n' && *at != '\t')
			memset(at, ' ', control);
		else if (is_no_character(at))
			memset(at, ' ', 3);
	}
	escaped = g_markup_escape_text(valid, -1);
	g_string_append(out, escaped);
	g_free(escaped);
	g_free(valid);
}

void
markup_put(const char *text)
{
	GString *out = g_string_new(NULL);

	markup_append(out, text);
	fputs(out->str, stdout);
	g_string_free(out, TRUE);
}
