/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - what the program says beside its results: errors on standard
 * error, and the proof that standard output arrived.
 */
#ifndef LIMEN_PROGRAM_MESSAGE_H
#define LIMEN_PROGRAM_MESSAGE_H

#include "command.h"
#include "common/message_put.h"

/* Prints "limen: TEXT" on standard error. */
void message_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* As message_error(), points to the help of 'self' and returns STATUS_ERROR. */
int message_usage(const command *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Flushes standard output; returns 'status', or STATUS_ERROR if something was lost. */
int message_finish(int status);

#endif
