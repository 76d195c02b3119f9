/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strbuf.c - grows a NUL-terminated text by doubling its memory.  A text that begins in memory of
 * the caller moves to the heap when it outgrows that.
 */
#include "strbuf.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"

strbuf
strbuf_within(char *room, size_t size)
{
	room[0] = '\0';
	return (strbuf){ .text = room, .capacity = size, .borrowed = true };
}

/* As realloc(); borrowed text is copied. */
static char *
resize(strbuf *buf, size_t capacity)
{
	char *text;

	if (!buf->borrowed)
		return realloc(buf->text, capacity);
	text = malloc(capacity);
	if (text == NULL)
		return NULL;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): what is borrowed is there */
	memcpy(text, buf->text, buf->length);
	buf->borrowed = false;
	return text;
}

static bool
grow(strbuf *buf, size_t more)
{
	size_t wanted = buf->length + more + 1;
	size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
	char *text;

	if (wanted <= buf->length)
		buf->failed = true;
	if (buf->failed)
		return false;
	while (capacity < wanted)
		capacity = capacity > SIZE_MAX / 2 ? wanted : capacity * 2;
	text = resize(buf, capacity);
	if (text == NULL) {
		buf->failed = true;
		return false;
	}
	/* The empty text, until something is added. */
	text[buf->length] = '\0';
	buf->text = text;
	buf->capacity = capacity;
	return true;
}

static inline bool
reserve(strbuf *buf, size_t more)
{
	if (more < buf->capacity - buf->length && !buf->failed)
		return true;
	return grow(buf, more);
}

void
strbuf_reserve(strbuf *buf, size_t more)
{
	reserve(buf, more);
}

void
strbuf_add(strbuf *buf, const char *text, size_t length)
{
	if (!reserve(buf, length))
		return;
	if (length > 0)
		memcpy(buf->text + buf->length, text, length);
	buf->length += length;
	buf->text[buf->length] = '\0';
}

void
strbuf_adds(strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void
strbuf_addc(strbuf *buf, char c)
{
	if (!reserve(buf, 1))
		return;
	buf->text[buf->length] = c;
	buf->length++;
	buf->text[buf->length] = '\0';
}

/* Formats into the free room first; only a text that does not fit is formatted twice. */
void
strbuf_addv(strbuf *buf, const char *format, va_list arguments)
{
	size_t room = buf->capacity - buf->length;
	va_list again;
	int length;

	va_copy(again, arguments);
	length = format_text(room == 0 ? NULL : buf->text + buf->length, room, format, arguments);
	if (length < 0)
		buf->failed = true;
	else if ((size_t)length >= room && reserve(buf, (size_t)length))
		format_text(buf->text + buf->length, (size_t)length + 1, format, again);
	if (length >= 0 && !buf->failed)
		buf->length += (size_t)length;
	va_end(again);
}

void
strbuf_addf(strbuf *buf, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_addv(buf, format, arguments);
	va_end(arguments);
}

char *
strbuf_steal(strbuf *buf, size_t *length)
{
	char *text;

	/* The caller's room cannot be returned, so a text in it is copied to the heap. */
	if (buf->borrowed)
		buf->capacity = 0;
	if (buf->text == NULL || buf->borrowed)
		grow(buf, 0);
	if (buf->failed) {
		strbuf_free(buf);
		return NULL;
	}
	text = buf->text;
	if (length != NULL)
		*length = buf->length;
	*buf = (strbuf)STRBUF_INIT;
	return text;
}

void
strbuf_free(strbuf *buf)
{
	if (!buf->borrowed)
		free(buf->text);
	*buf = (strbuf)STRBUF_INIT;
}
