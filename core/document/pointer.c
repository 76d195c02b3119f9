/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer.c - appends steps to a JSON pointer and removes them.  Keys are checked for characters
 * to escape ("~" and "/", RFC 6901) eight bytes at a time.
 */
#include "pointer.h"

#include <endian.h>
#include <string.h>

#include "base/same_bytes.h"

/* Digits of the largest size_t, and the slash. */
#define STEP_MAX 24

/*
 * Marks bytes with their highest bit.  The lowest mark is at an escape or a byte of the upper half;
 * marks above it may be wrong.
 */
static uint64_t
mark_escapes(uint64_t word)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	return (((word ^ ones * '~') - ones) | ((word ^ ones * '/') - ones)) & ones * 0x80;
}

/* Returns the first eight bytes of a text, in the order of memory; those behind its end are 0. */
static uint64_t
load_start(const char *text, size_t length)
{
	uint64_t word = 0;

	if (length >= sizeof(word))
		return le64toh(same_bytes_load8(text));
	if (length >= sizeof(uint32_t))
		return le32toh(same_bytes_load4(text)) |
		       (uint64_t)le32toh(same_bytes_load4(text + length - 4)) << 8 * (length - 4);
	for (size_t i = 0; i < length; i++)
		word |= (uint64_t)(unsigned char)text[i] << 8 * i;
	return word;
}

/* Writes eight bytes at a time; the next ones overwrite what is too much. */
static char *
write_escaped(char *to, const char *key, size_t length)
{
	while (length > 0) {
		uint64_t word = load_start(key, length);
		uint64_t marks = mark_escapes(word);
		size_t plain = marks == 0 ? sizeof(word) : (size_t)__builtin_ctzll(marks) / 8;

		word = htole64(word);
		memcpy(to, &word, sizeof(word));
		if (plain >= length)
			return to + length;
		to += plain;
		key += plain;
		length -= plain;
		if (marks == 0)
			continue;
		if (*key == '~' || *key == '/') {
			*to++ = '~';
			*to++ = *key == '~' ? '0' : '1';
		} else {
			*to++ = *key;
		}
		key++;
		length--;
	}
	return to;
}

char *
pointer_write_token(char *to, const char *key, size_t length)
{
	*to = '/';
	to = write_escaped(to + 1, key, length);
	*to = '\0';
	return to;
}

size_t
pointer_enter_member(strbuf *pointer, const char *key, size_t length)
{
	size_t before = pointer->length;
	char *end;

	strbuf_reserve(pointer, length < SIZE_MAX / 4 ? POINTER_TOKEN_ROOM(length) : SIZE_MAX);
	if (pointer->failed)
		return before;
	end = pointer_write_token(pointer->text + before, key, length);
	pointer->length = (size_t)(end - pointer->text);
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
