/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_file.h - a file to which whole lines are appended: what does not fit on the
 * disk any more leaves no piece of a line behind.  For one thread.
 */
#ifndef LIMEND_LINE_FILE_H
#define LIMEND_LINE_FILE_H

#include <stddef.h>

typedef struct line_file line_file;

/* About how much is best appended at once. */
#define LINE_FILE_BATCH ((size_t)64 << 10)

/* Opens 'path' for appending; "-" is standard output.  NULL with '*why' to g_free(). */
line_file *line_file_open(const char *path, char **why);
void line_file_close(line_file *self);

/* Opens the path again; the old file stays if that fails, and the log says so. */
void line_file_reopen(line_file *self);

/* Appends lines, each with its newline, and returns how many were written whole. */
size_t line_file_append(line_file *self, const char *text, size_t length);

#endif
