/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - a string that grows. */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
make_room(text *to, size_t more)
{
	size_t room = to->room < 64 ? 64 : to->room;
	char *grown;

	if (to->failed || more >= SIZE_MAX / 4 - to->length) {
		to->failed = true;
		return false;
	}
	while (room < to->length + more + 1)
		room *= 2;
	if (room == to->room)
		return true;
	grown = realloc(to->bytes, room);
	if (grown == NULL) {
		to->failed = true;
		return false;
	}
	to->bytes = grown;
	to->room = room;
	return true;
}

void
text_add(text *to, const char *bytes, size_t length)
{
	if (!make_room(to, length))
		return;
	if (length > 0)
		memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
	to->bytes[to->length] = '\0';
}

void
text_adds(text *to, const char *string)
{
	text_add(to, string, strlen(string));
}

void
text_addc(text *to, char byte)
{
	text_add(to, &byte, 1);
}

void
text_addf(text *to, const char *format, ...)
{
	char *line = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (length < 0) {
		to->failed = true;
		return;
	}
	text_add(to, line, (size_t)length);
	free(line);
}

void
text_free(text *to)
{
	free(to->bytes);
	*to = (text){ .bytes = NULL };
}

char *
text_steal(text *from)
{
	char *bytes;

	text_add(from, "", 0);
	bytes = from->failed ? NULL : from->bytes;
	if (bytes == NULL)
		free(from->bytes);
	*from = (text){ .bytes = NULL };
	return bytes;
}
