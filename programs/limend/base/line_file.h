/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_file.h - a file to which whole lines are appended, of the log or the decision log: what
 * does not fit on the disk any more leaves no piece of a line behind.  For one thread at a time,
 * but where that is said.
 */
#ifndef LIMEND_LINE_FILE_H
#define LIMEND_LINE_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct line_file line_file;

/* About how much is best appended at once. */
#define LINE_FILE_BATCH ((size_t)64 << 10)

/* Opens 'path' for appending; "-" is standard output.  NULL with '*why' to g_free(). */
line_file *line_file_open(const char *path, char **why);

/*
 * Appends to the descriptor 'fd', which stays the caller's, and never waits for who reads it.
 * What cannot be written is not logged.
 */
line_file *line_file_on(int fd);

void line_file_close(line_file *self);

/*
 * Who reads too slowly is waited for until then, by limen_host_monotonic(), and no
 * longer; what does not fit any more is lost.  From any thread.
 */
void line_file_hurry(line_file *self, int64_t until);

/* Opens the path again; the old file stays if that fails, and the log says so. */
void line_file_reopen(line_file *self);

/* Appends lines, each with its newline, and returns how many were written whole. */
size_t line_file_append(line_file *self, const char *text, size_t length);

#endif
