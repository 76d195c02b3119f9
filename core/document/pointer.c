/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer.c - appends steps to a JSON pointer, with "~" and "/" in keys escaped (RFC 6901), and
 * removes them.
 */
#include "pointer.h"

/* Digits of the largest size_t, and the slash. */
#define STEP_MAX 24

size_t
pointer_enter_member(strbuf *pointer, const char *key, size_t length)
{
	size_t before = pointer->length;
	char *to;

	/* Each byte may become two. */
	strbuf_reserve(pointer, length < SIZE_MAX / 2 ? 2 * length + 1 : SIZE_MAX);
	if (pointer->failed)
		return before;
	to = pointer->text + before;
	*to++ = '/';
	for (size_t i = 0; i < length; i++) {
		char c = key[i];

		if (c == '~' || c == '/') {
			*to++ = '~';
			c = c == '~' ? '0' : '1';
		}
		*to++ = c;
	}
	*to = '\0';
	pointer->length = (size_t)(to - pointer->text);
	return before;
}

size_t
pointer_enter_element(strbuf *pointer, size_t index)
{
	size_t before = pointer->length;
	char step[STEP_MAX];
	size_t first = sizeof(step);

	do {
		step[--first] = (char)('0' + index % 10);
		index /= 10;
	} while (index > 0);
	step[--first] = '/';
	strbuf_add(pointer, step + first, sizeof(step) - first);
	return before;
}

void
pointer_leave(strbuf *pointer, size_t length)
{
	if (pointer->text == NULL)
		return;
	pointer->length = length;
	pointer->text[length] = '\0';
}
