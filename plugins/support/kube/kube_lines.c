/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_lines.c - buffers bytes until a newline and passes each line that is not empty to a
 * callback.  The buffer is allocated on demand and belongs to the kube_lines; a line above its
 * maximum is an error.
 */
#include "kube_session.h"

#include <limen/host.h>
#include <string.h>

static kube_lines_result
append(kube_lines *lines, const char *bytes, size_t size)
{
	if (lines->text.length == 0)
		lines->since = limen_host_monotonic();
	buffer_add(&lines->text, bytes, size);
	if (lines->text.too_long)
		return KUBE_LINES_LONG;
	return lines->text.no_memory ? KUBE_LINES_NO_MEMORY : KUBE_LINES_OK;
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
		length = lines->text.length;
		lines->text.length = 0;
		if (length > 0 && !take(data, lines->text.text, length))
			return KUBE_LINES_ENDED;
	}
	return KUBE_LINES_OK;
}

void
kube_lines_clear(kube_lines *lines)
{
	buffer_clear(&lines->text);
	lines->since = 0;
}
