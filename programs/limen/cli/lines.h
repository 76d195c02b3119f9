/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.h - reads a stream line by line in bounded memory.
 */
#ifndef LIMEN_PROGRAM_LINES_H
#define LIMEN_PROGRAM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* The longest line, without its newline. */
#define LINES_MAX ((size_t)16 << 20)

typedef struct line_input {
	int fd;
	bool flush;     /* flush standard output before waiting for more */
	bool ended;
	int failure;    /* errno of the read that ended it, or 0 */
	char *buffer;
	size_t size;
	size_t start;   /* of the line at hand */
	size_t scanned; /* where to look for its newline */
	size_t end;     /* of what was read */
} line_input;

typedef enum lines_result {
	LINES_END = 0,
	LINES_LINE = 1,
	LINES_TOO_LONG = 2 /* and skipped */
} lines_result;

/* Prepares to read 'fd', which stays the caller's. */
void lines_start(line_input *lines, int fd);

/* Gives the next line, good until the next call. */
lines_result lines_next(line_input *lines, const char **line, size_t *length);

void lines_finish(line_input *lines);

/* Has a line nothing but blanks? */
bool lines_is_blank(const char *text, size_t length);

#endif
