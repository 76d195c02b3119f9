/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_file.h - appends whole lines to the log or the decision log; a full disk leaves no partial
 * line behind.  One thread at a time may use it, except where stated.
 */
#ifndef LIMEND_LINE_FILE_H
#define LIMEND_LINE_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct line_file line_file;

/* Recommended number of bytes to append at once. */
#define LINE_FILE_BATCH ((size_t)64 << 10)

/* Opens 'path' for appending; "-" is standard output.  NULL with '*why' to g_free(). */
line_file *line_file_open(const char *path, char **why);

/*
 * Appends to the descriptor 'fd', which the caller still owns, and never waits for its reader.
 * Failures are not logged.
 */
line_file *line_file_on(int fd);

void line_file_close(line_file *self);

/*
 * Sets the time (limen_host_monotonic()) until which a slow reader is waited for; lines that do
 * not fit by then are lost.  From any thread.
 */
void line_file_hurry(line_file *self, int64_t until);

/* Opens the path again; the old file stays if that fails, and the log says so. */
void line_file_reopen(line_file *self);

/* Appends lines, each with its newline, and returns how many were written whole. */
size_t line_file_append(line_file *self, const char *text, size_t length);

#endif
