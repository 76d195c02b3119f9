/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.c - see buffer.h.
 */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

static bool
make_room(buffer *to, size_t more)
{
	size_t room = to->room == 0 ? FIRST_ROOM : to->room;
	char *longer;

	if (more > BUFFER_MAX - to->length) {
		to->too_long = true;
		return false;
	}
	if (to->length + more < to->room)
		return true;
	while (room <= to->length + more)
		room *= 2;
	longer = realloc(to->text, room);
	if (longer == NULL) {
		to->no_memory = true;
		return false;
	}
	to->text = longer;
	to->room = room;
	return true;
}

void
buffer_add(buffer *to, const char *text, size_t length)
{
	if (buffer_failed(to) || !make_room(to, length))
		return;
	memcpy(to->text + to->length, text, length);
	to->length += length;
	to->text[to->length] = '\0';
}

/* RFC 3986 section 2.3; in ASCII whatever the locale. */
static bool
is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '_' || c == '~';
}

void
buffer_add_quoted(buffer *to, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text != '\0' && !buffer_failed(to); text++) {
		unsigned char c = (unsigned char)*text;
		char quoted[3] = { '%', digits[c >> 4], digits[c & 15] };

		if (is_unreserved(*text))
			buffer_add(to, text, 1);
		else if (c == ' ')
			buffer_add(to, "+", 1);
		else
			buffer_add(to, quoted, sizeof(quoted));
	}
}

bool
buffer_failed(const buffer *of)
{
	return of->no_memory || of->too_long;
}

void
buffer_clear(buffer *of)
{
	free(of->text);
	*of = (buffer){ .text = NULL };
}
