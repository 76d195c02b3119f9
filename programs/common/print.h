/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.h - formats text like GLib, but ends the process when memory is short.  GLib calls
 * libc's vasprintf(); if that fails, g_string_append_printf() leaves the text out, in the
 * middle of an answer, and g_strdup_printf() returns NULL.
 */
#ifndef LIMEN_PROGRAM_PRINT_H
#define LIMEN_PROGRAM_PRINT_H

#include <glib.h>
#include <string.h>

/* As g_string_append_len(), which GLib before 2.76 does not inline. */
static inline void
print_bytes(GString *out, const char *text, size_t length)
{
	if (length >= out->allocated_len - out->len) {
		g_string_append_len(out, text, (gssize)length);
		return;
	}
	memcpy(out->str + out->len, text, length);
	out->len += length;
	out->str[out->len] = '\0';
}

/* As g_string_append_printf(). */
void print_append(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * Appends 'text' with control and format characters (control.h) spelled "\n", "\t" or "\u001b",
 * except those in 'kept'.
 */
void print_escaped(GString *out, const char *text, const char *kept);

/* Appends 'text', valid UTF-8, as a string of JSON, escaped likewise. */
void print_quoted(GString *out, const char *text);

/* As g_strdup_printf() and g_strdup_vprintf(). */
char *print_text(const char *format, ...) G_GNUC_PRINTF(1, 2);
char *print_vtext(const char *format, va_list arguments) G_GNUC_PRINTF(1, 0);

#endif
