/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.h - reads a stream line by line in bounded memory.
 */
#ifndef LIMEN_PROGRAM_LINES_H
#define LIMEN_PROGRAM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Longest line in bytes, without its newline. */
#define LINES_MAX ((size_t)16 << 20)

typedef struct line_input {
	int fd;
	bool flush;     /* flush standard output before each read */
	bool ended;
	int failure;    /* errno of the read that failed, or 0 */
	char *buffer;
	size_t size;
	size_t start;   /* of the current line */
	size_t scanned; /* where the search for its newline continues */
	size_t end;     /* end of the data read */
} line_input;

typedef enum lines_result {
	LINES_END = 0,
	LINES_LINE = 1,
	LINES_TOO_LONG = 2 /* the line was skipped */
} lines_result;

/* Opens 'path', or standard input for "-"; returns false with '*why' to g_free(). */
bool lines_open(line_input *lines, const char *path, char **why);

/* Returns the next line in '*line', valid until the next call. */
lines_result lines_next(line_input *lines, const char **line, size_t *length);

void lines_close(line_input *lines);

/* Returns true if the line is blank. */
bool lines_is_blank(const char *text, size_t length);

#endif
