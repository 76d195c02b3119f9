/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - formats text into a GString; ends the process if that fails.  Text below 256 bytes
 * is formatted once, longer text a second time into the grown string.
 */
#include "print.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "control.h"

/* Bytes of the first buffer; longer texts are formatted a second time. */
enum { USUAL = 256 };

static void G_GNUC_PRINTF(2, 0)
append(GString *out, const char *format, va_list arguments)
{
	char usual[USUAL];
	va_list again;
	gsize before = out->len;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(usual, sizeof(usual), format, arguments);
	if (length < 0)
		g_error("cannot print '%s'", format);
	if (length < USUAL) {
		g_string_append_len(out, usual, length);
	} else {
		g_string_set_size(out, before + (gsize)length);
		vsnprintf(out->str + before, (size_t)length + 1, format, again);
	}
	va_end(again);
}

void
print_append(GString *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	append(out, format, arguments);
	va_end(arguments);
}

static void
append_escaped(GString *out, const char *text, const char *kept, bool quotes)
{
	const char *run = text;

	while (*text != '\0') {
		size_t length = control_length(text);
		bool quoted = quotes && (*text == '"' || *text == '\\');
		char escape[CONTROL_PRINT_MAX];

		if (!quoted && (length == 0 || strchr(kept, *text) != NULL)) {
			text++;
			continue;
		}
		g_string_append_len(out, run, text - run);
		if (quoted) {
			print_append(out, "\\%c", *text);
		} else if (*text == '\n' || *text == '\t') {
			g_string_append(out, *text == '\n' ? "\\n" : "\\t");
		} else {
			control_print(text, "\\u", escape);
			g_string_append(out, escape);
		}
		text += MAX(length, 1);
		run = text;
	}
	g_string_append_len(out, run, text - run);
}

void
print_escaped(GString *out, const char *text, const char *kept)
{
	append_escaped(out, text, kept, false);
}

void
print_quoted(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	append_escaped(out, text, "", true);
	g_string_append_c(out, '"');
}

char *
print_vtext(const char *format, va_list arguments)
{
	GString *text = g_string_new(NULL);

	append(text, format, arguments);
	return g_string_free(text, FALSE);
}

char *
print_text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = print_vtext(format, arguments);
	va_end(arguments);
	return text;
}
