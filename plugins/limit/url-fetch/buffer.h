/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.h - a text that grows up to a bound, and remembers that it could not.
 */
#ifndef URL_FETCH_BUFFER_H
#define URL_FETCH_BUFFER_H

#include <limen/types.h>

/* The longest URL, and the most text of all headers together. */
#define BUFFER_MAX ((size_t)1024 * 1024)

typedef struct buffer {
	char *text;    /* NUL-terminated once something was added */
	size_t length;
	size_t room;
	bool no_memory;
	bool too_long;
} buffer;

void buffer_add(buffer *to, const char *text, size_t length);

/* Adds text in the way of Python's quote_plus(): as a form would send it. */
void buffer_add_quoted(buffer *to, const char *text);

bool buffer_failed(const buffer *of);

/* Frees the text; the buffer is as new. */
void buffer_clear(buffer *of);

#endif
