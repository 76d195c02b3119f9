/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - appends bytes to a buffer in request memory.  The buffer starts at 256 bytes and
 * doubles; after a failed allocation nothing is added and text_end() returns NULL.
 */
#include "text.h"

#include <string.h>

/* What most texts need. */
#define ROOM_FIRST ((size_t)256)

static bool
make_room(json_text *to, size_t more)
{
	size_t wanted = to->room == 0 ? ROOM_FIRST : to->room;
	char *grown;

	if (to->failed || to->room - to->length >= more)
		return !to->failed;
	while (wanted - to->length < more) {
		if (wanted > SIZE_MAX / 2) {
			to->failed = true;
			return false;
		}
		wanted *= 2;
	}
	grown = limen_request_alloc(to->request, wanted);
	if (grown == NULL) {
		to->failed = true;
		return false;
	}
	if (to->length > 0)
		memcpy(grown, to->bytes, to->length);
	to->bytes = grown;
	to->room = wanted;
	return true;
}

void
text_add_bytes(json_text *to, const char *bytes, size_t length)
{
	if (length >= to->room - to->length && !make_room(to, length + 1))
		return;
	memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
}

const char *
text_end(json_text *of)
{
	if (!make_room(of, 1))
		return NULL;
	of->bytes[of->length] = '\0';
	return of->bytes;
}
