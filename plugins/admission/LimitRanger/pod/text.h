/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - a text that grows, in memory of the request: what is put into a document.
 */
#ifndef LIMEN_LIMITRANGER_TEXT_H
#define LIMEN_LIMITRANGER_TEXT_H

#include <string.h>

#include <limen/request.h>

typedef struct json_text {
	const limen_request *request;
	char *bytes;
	size_t length;
	size_t room;
	bool plain;  /* else it is JSON */
	bool failed; /* memory is short */
} json_text;

/* Makes room for 'length' more bytes and a NUL, or sets 'failed'. */
void text_grow(json_text *to, size_t length);

/* Begins with 'request', and perhaps 'plain', alone: (json_text){ .request = req }. */
static inline void
text_add_bytes(json_text *to, const char *bytes, size_t length)
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
text_add(json_text *to, const char *words)
{
	text_add_bytes(to, words, strlen(words));
}

/* Returns the text with its final NUL, or NULL if memory was short. */
const char *text_end(json_text *of);

#endif
