/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_put.h - writes untrusted texts to terminals.
 */
#ifndef LIMEN_PROGRAM_MESSAGE_PUT_H
#define LIMEN_PROGRAM_MESSAGE_PUT_H

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>

/*
 * Writes 'text' with control characters other than newlines and tabs spelled "\u001b": requests
 * are untrusted, and terminals obey escapes.
 */
void message_put(FILE *stream, const char *text);

/*
 * As message_put(), with newlines and tabs spelled "\n" and "\t": a name must not end its
 * line.
 */
void message_put_part(FILE *stream, const char *text);

/* As message_put_part(), with 'format' and its arguments. */
void message_print_part(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* As message_print_part(), followed by a newline. */
void message_print_line(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);
void message_vprint_line(FILE *stream, const char *format, va_list arguments)
	G_GNUC_PRINTF(2, 0);

/* As message_put(), with 'format' and its arguments. */
void message_print(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
