/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - appends bytes to a buffer in request memory.  The buffer starts at 256 bytes and
 * doubles; after a failed allocation nothing is added and the text is lost.
 */
#include "pod.h"

#include <string.h>

/* The first size of a buffer, in bytes; most texts fit. */
#define ROOM_FIRST ((size_t)256)

void
text_grow(text_buffer *to, size_t length)
{
	size_t room = to->room == 0 ? ROOM_FIRST : to->room;
	char *grown;

	while (room - to->length <= length)
		room *= 2;
	grown = to->failed ? NULL : limen_request_alloc(to->request, room);
	to->failed = grown == NULL;
	if (grown != NULL && to->length > 0)
		memcpy(grown, to->bytes, to->length);
	to->bytes = grown;
	to->room = room;
}

char *
text_index(char *out, size_t index)
{
	char digits[TEXT_INDEX_MAX] = "";
	size_t first = sizeof digits - 1;

	do
		digits[--first] = (char)('0' + index % 10);
	while ((index /= 10) > 0);
	return stpcpy(out, digits + first);
}

const char *
text_end(text_buffer *of)
{
	text_add_bytes(of, "", 0);
	if (of->failed)
		return limen_result_text(LIMEN_ENOMEM);
	of->bytes[of->length] = '\0';
	return of->bytes;
}
