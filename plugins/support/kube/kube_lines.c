/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_lines.c - buffers bytes until a newline and passes each line that is not empty to a
 * callback.  The buffer is allocated on demand and belongs to the kube_lines; a line above its
 * maximum is an error.
 */
#include "kube_lines.h"

#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096 };

static bool
make_room(kube_lines *lines, size_t needed)
{
	size_t room = lines->room == 0 ? FIRST_ROOM : lines->room;
	char *longer;

	if (needed <= lines->room)
		return true;
	while (room < needed)
		room *= 2;
	longer = realloc(lines->text, room);
	if (longer == NULL)
		return false;
	lines->text = longer;
	lines->room = room;
	return true;
}

static kube_lines_result
append(kube_lines *lines, const char *bytes, size_t size)
{
	if (size > lines->max - lines->length)
		return KUBE_LINES_LONG;
	if (!make_room(lines, lines->length + size))
		return KUBE_LINES_NO_MEMORY;
	if (lines->length == 0)
		lines->since = limen_host_monotonic();
	memcpy(lines->text + lines->length, bytes, size);
	lines->length += size;
	return KUBE_LINES_OK;
}

kube_lines_result
kube_lines_add(kube_lines *lines, const char *bytes, size_t size,
               bool (*take)(void *data, const char *line, size_t length), void *data)
{
	while (size > 0) {
		const char *end = memchr(bytes, '\n', size);
		size_t part = end == NULL ? size : (size_t)(end - bytes);
		size_t length;
		kube_lines_result result = KUBE_LINES_OK;

		if (part > 0)
			result = append(lines, bytes, part);
		if (result != KUBE_LINES_OK || end == NULL)
			return result;
		bytes = end + 1;
		size -= part + 1;
		length = lines->length;
		lines->length = 0;
		if (length > 0 && !take(data, lines->text, length))
			return KUBE_LINES_ENDED;
	}
	return KUBE_LINES_OK;
}

void
kube_lines_clear(kube_lines *lines)
{
	free(lines->text);
	*lines = (kube_lines){ .max = lines->max };
}
