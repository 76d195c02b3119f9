/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - a text that grows, in memory of the request.
 */
#ifndef LIMEN_LIMITRANGER_TEXT_H
#define LIMEN_LIMITRANGER_TEXT_H

#include <string.h>

#include <limen/request.h>

typedef struct text_buffer {
	const limen_request *request;
	char *bytes;
	size_t length;
	size_t room;
	bool failed; /* memory is short */
} text_buffer;

/* Makes room for 'length' more bytes and a NUL, or sets 'failed'. */
void text_grow(text_buffer *to, size_t length);

/* Begins with 'request' alone: (text_buffer){ .request = req }. */
static inline void
text_add_bytes(text_buffer *to, const char *bytes, size_t length)
{
	/* There is always room for the NUL. */
	if (to->room - to->length <= length)
		text_grow(to, length);
	if (to->failed)
		return;
	memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
}

static inline void
text_add(text_buffer *to, const char *words)
{
	text_add_bytes(to, words, strlen(words));
}

static inline void
text_add_pair(text_buffer *to, const char *words, const char *value)
{
	text_add(to, words);
	text_add(to, value);
}

/* Writes a number of up to TEXT_INDEX_MAX - 1 digits and returns the end of it. */
#define TEXT_INDEX_MAX 24
char *text_index(char *out, size_t index);

/* Returns the text with its final NUL, or that memory was short ('failed'). */
const char *text_end(text_buffer *of);

#endif
