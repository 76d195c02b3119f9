/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_put.h - writes texts of strangers to terminals.
 */
#ifndef LIMEN_PROGRAM_MESSAGE_PUT_H
#define LIMEN_PROGRAM_MESSAGE_PUT_H

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>

/*
 * Writes 'text' with control characters other than newlines and tabs spelled
 * "\u001b": requests are written by strangers and terminals obey escapes.
 */
void message_put(FILE *stream, const char *text);

/*
 * As message_put(), with newlines and tabs spelled "\n" and "\t": a name is no more than
 * a part of its line, and must not make others of its own.
 */
void message_put_part(FILE *stream, const char *text);

/* As message_put_part(), with the arguments put into 'format' first. */
void message_print_part(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same, and the end of the line. */
void message_print_line(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);
void message_vprint_line(FILE *stream, const char *format, va_list arguments)
	G_GNUC_PRINTF(2, 0);

/* As message_put(), with the arguments put into 'format' first. */
void message_print(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
