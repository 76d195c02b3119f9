/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.c - splits the data of a file descriptor into lines.  The buffer grows up to LINES_MAX + 1
 * bytes; longer lines are skipped.  Standard output is flushed before each read unless the input
 * is a regular file.
 */
#include "lines.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

enum { SIZE_FIRST = 64 * 1024 };

bool
lines_open(line_input *lines, const char *path, char **why)
{
	int fd = input_open(path, why);
	struct stat facts;

	if (fd < 0)
		return false;
	*lines = (line_input){ .fd = fd, .size = SIZE_FIRST,
		.buffer = g_malloc(SIZE_FIRST) };
	/* A client may wait for an answer before it sends the next line. */
	lines->flush = fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode);
	return true;
}

void
lines_close(line_input *lines)
{
	g_free(lines->buffer);
	close(lines->fd);
}

/* Moves the current line to the front and makes room for the next read. */
static void
make_room(line_input *lines)
{
	if (lines->start > 0) {
		memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
		lines->end -= lines->start;
		lines->scanned -= lines->start;
		lines->start = 0;
	}
	if (lines->end < lines->size)
		return;
	lines->size = MIN(lines->size * 2, LINES_MAX + 1);
	lines->buffer = g_realloc(lines->buffer, lines->size);
}

static void
read_more(line_input *lines)
{
	ssize_t got;

	make_room(lines);
	if (lines->flush)
		fflush(stdout);
	do
		got = read(lines->fd, lines->buffer + lines->end, lines->size - lines->end);
	while (got < 0 && errno == EINTR);
	if (got > 0) {
		lines->end += (size_t)got;
		return;
	}
	lines->ended = true;
	lines->failure = got < 0 ? errno : 0;
}

/* Returns the newline that ends the current line, or NULL if it was not read yet. */
static char *
find_newline(line_input *lines)
{
	char *newline = memchr(lines->buffer + lines->scanned, '\n', lines->end - lines->scanned);

	lines->scanned = newline == NULL ? lines->end : (size_t)(newline - lines->buffer) + 1;
	return newline;
}

static lines_result
skip_line(line_input *lines)
{
	while (!lines->ended) {
		lines->start = lines->end;
		lines->scanned = lines->end;
		read_more(lines);
		if (find_newline(lines) != NULL)
			break;
	}
	lines->start = lines->scanned;
	return LINES_TOO_LONG;
}

lines_result
lines_next(line_input *lines, const char **line, size_t *length)
{
	char *newline = find_newline(lines);

	while (newline == NULL && !lines->ended) {
		if (lines->end - lines->start > LINES_MAX)
			return skip_line(lines);
		read_more(lines);
		newline = find_newline(lines);
	}
	*line = lines->buffer + lines->start;
	*length = lines->scanned - lines->start - (newline == NULL ? 0 : 1);
	if (newline == NULL && *length == 0)
		return LINES_END;
	lines->start = lines->scanned;
	return LINES_LINE;
}

bool
lines_is_blank(const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(text[length - 1]))
		length--;
	return length == 0;
}
