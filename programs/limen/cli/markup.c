/* SPDX-License-Identifier: Apache-2.0 */
/*
 * markup.c - escapes text for HTML and XML, with blanks for the characters that neither has.
 */
#include "markup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/control.h"

/* Returns true at U+FFFE or U+FFFF in UTF-8, which XML 1.0 (2.2) does not allow. */
static bool
is_no_character(const char *at)
{
	return at[0] == '\xef' && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf');
}

static void
append_text(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text == NULL ? "" : text, -1);
	g_autofree char *escaped = NULL;

	for (char *at = valid; *at != '\0'; at++) {
		size_t control = control_length(at);

		if (control > 0 && *at != '\n' && *at != '\t')
			memset(at, ' ', control);
		else if (is_no_character(at))
			memset(at, ' ', 3);
	}
	escaped = g_markup_escape_text(valid, -1);
	g_string_append(out, escaped);
}

static void
append(GString *out, const char *format, va_list args)
{
	for (; *format != '\0'; format++) {
		if (*format != '%') {
			g_string_append_c(out, *format);
			continue;
		}
		format++;
		if (*format == 's') {
			append_text(out, va_arg(args, const char *));
		} else if (*format == 'u') {
			g_string_append_printf(out, "%u", va_arg(args, unsigned));
		} else {
			g_string_append_printf(out, "%zu", va_arg(args, size_t));
			format++;
		}
	}
}

void
markup_append(GString *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append(out, format, args);
	va_end(args);
}

void
markup_vprint(const char *format, va_list args)
{
	g_autoptr(GString) out = g_string_new(NULL);

	append(out, format, args);
	fputs(out->str, stdout);
}

void
markup_print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	markup_vprint(format, args);
	va_end(args);
}
