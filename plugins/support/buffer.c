/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.c - grows a buffer by doubling, within its bound.
 */
#include "buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 256 };

static bool
make_room(buffer *to, size_t more)
{
	size_t room = to->room == 0 ? FIRST_ROOM : to->room;
	char *longer;

	if (to->max > 0 && more > to->max - to->length) {
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

bool
buffer_read(buffer *to, int fd)
{
	char chunk[16384];
	ssize_t got = 1;

	while (got != 0) {
		got = read(fd, chunk, sizeof(chunk));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		buffer_add(to, chunk, (size_t)got);
		if (buffer_failed(to)) {
			errno = to->too_long ? EFBIG : ENOMEM;
			return false;
		}
	}
	return true;
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
	*of = (buffer){ .max = of->max };
}
