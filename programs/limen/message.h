/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - what the program says beside its results: errors on standard
 * error, and the proof that standard output arrived.
 */
#ifndef LIMEN_PROGRAM_MESSAGE_H
#define LIMEN_PROGRAM_MESSAGE_H

#include <stdio.h>

#include "command.h"

/*
 * Writes 'text' with control characters other than newlines and tabs spelled
 * "\u001b": requests are written by strangers and terminals obey escapes.
 */
void message_put(FILE *stream, const char *text);

/* As message_put(), with the arguments put into 'format' first. */
void message_print(FILE *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Prints "limen: TEXT" on standard error. */
void message_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* As message_error(), points to the help of 'self' and returns STATUS_ERROR. */
int message_usage(const command *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Flushes standard output; returns 'status', or STATUS_ERROR if something was lost. */
int message_finish(int status);

#endif
