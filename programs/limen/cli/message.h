/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - prints error messages, and checks that standard output was written.
 */
#ifndef LIMEN_PROGRAM_MESSAGE_H
#define LIMEN_PROGRAM_MESSAGE_H

#include "command.h"
#include "common/message_put.h"

/* Prints "limen: TEXT" on standard error. */
void message_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Prints an error and a pointer to the help of 'self'; returns STATUS_ERROR. */
int message_usage(const command *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Flushes standard output; returns 'status', or STATUS_ERROR if a write failed. */
int message_finish(int status);

#endif
