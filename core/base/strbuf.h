/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strbuf.h - text that grows.  A failed allocation is remembered rather than
 * reported at each call: build the whole text, then ask strbuf_steal().
 */
#ifndef LIMEN_CORE_BASE_STRBUF_H
#define LIMEN_CORE_BASE_STRBUF_H

#include <limen/types.h>

typedef struct strbuf {
	char *text; /* NUL-terminated once anything was added */
	size_t length;
	size_t capacity;
	bool failed;
	bool borrowed; /* 'text' is the room it began with */
} strbuf;

#define STRBUF_INIT { NULL, 0, 0, false, false }

/* Begins in 'size' bytes of the caller's, at least one, which outlive it. */
strbuf strbuf_within(char *room, size_t size);

/* Makes room for 'more' bytes; strbuf_add() and its like do that themselves. */
void strbuf_reserve(strbuf *buf, size_t more);

void strbuf_add(strbuf *buf, const char *text, size_t length);
void strbuf_adds(strbuf *buf, const char *text);
void strbuf_addc(strbuf *buf, char c);
void strbuf_addf(strbuf *buf, const char *format, ...) LIMEN_PRINTF(2, 3);
void strbuf_addv(strbuf *buf, const char *format, va_list arguments) LIMEN_PRINTF(2, 0);

/* Hands the text over (malloc()ed, never NULL unless an addition failed); 'buf' is empty after. */
char *strbuf_steal(strbuf *buf, size_t *length);
void strbuf_free(strbuf *buf);

#endif
