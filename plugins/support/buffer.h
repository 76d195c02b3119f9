/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.h - text or bytes that grow, up to a bound if there is one.  A buffer remembers that
 * something did not fit: add everything, then ask.
 */
#ifndef LIMEN_PLUGINS_BUFFER_H
#define LIMEN_PLUGINS_BUFFER_H

#include <limen/types.h>

typedef struct buffer {
	char *text; /* NUL-terminated once something was added; malloc()ed */
	size_t length;
	size_t room;
	size_t max; /* the most there may be; 0: no bound */
	bool no_memory;
	bool too_long;
} buffer;

void buffer_add(buffer *to, const char *text, size_t length);

/*
 * Adds what is left to read from 'fd'.  Returns false, and an error in errno: EFBIG where there is
 * more than fits.
 */
bool buffer_read(buffer *to, int fd);

bool buffer_failed(const buffer *of);

/* Frees the text; the buffer is as new. */
void buffer_clear(buffer *of);

#endif
