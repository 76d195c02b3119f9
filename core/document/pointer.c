/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer.c - appends steps to a JSON pointer and removes them.  Keys are checked for characters
 * to escape ("~" and "/", RFC 6901) eight bytes at a time.
 */
#include "pointer.h"

#include <string.h>

#include "base/same_bytes.h"

/* Digits of the largest size_t, and the slash. */
#define STEP_MAX 24

/* Has one of eight bytes to be escaped?  Bytes of the upper half may seem to, never the others. */
static bool
may_need_escape(uint64_t word)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	return ((((word ^ ones * '~') - ones) | ((word ^ ones * '/') - ones)) & ones * 0x80) != 0;
}

/* Returns how many bytes at the start are surely written as they are. */
static size_t
count_plain(const char *key, size_t length)
{
	size_t count = 0;

	if (length < sizeof(uint32_t))
		return 0;
	if (length < sizeof(uint64_t)) {
		uint64_t ends = same_bytes_load4(key) |
		                (uint64_t)same_bytes_load4(key + length - 4) << 32;

		return may_need_escape(ends) ? 0 : length;
	}
	for (; length - count > sizeof(uint64_t); count += sizeof(uint64_t)) {
		if (may_need_escape(same_bytes_load8(key + count)))
			return count;
	}
	return may_need_escape(same_bytes_load8(key + length - sizeof(uint64_t))) ? count : length;
}

size_t
pointer_enter_member(strbuf *pointer, const char *key, size_t length)
{
	size_t before = pointer->length;
	size_t plain = count_plain(key, length);
	char *to;

	/* Each byte may become two. */
	strbuf_reserve(pointer, length < SIZE_MAX / 2 ? 2 * length + 1 : SIZE_MAX);
	if (pointer->failed)
		return before;
	to = pointer->text + before;
	*to++ = '/';
	memcpy(to, key, plain);
	to += plain;
	for (size_t i = plain; i < length; i++) {
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
