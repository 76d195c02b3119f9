/* SPDX-License-Identifier: Apache-2.0 */
/* list_text.c - lines, white space and characters the way Python sees them. */
#include <stdlib.h>
#include <string.h>

#include "list_text.h"

/* ---- characters ---- */

/* Returns the bytes of a character that begins with 'first'; 0: no character does. */
static size_t
character_size(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	if (first < 0xE0)
		return 2;
	return first < 0xF0 ? 3 : 4;
}

/*
 * Decodes the character at 'text', of which 'length' bytes are left (at least
 * one).  Returns how many bytes it has, 0 if there is none (Unicode, table 3-7).
 */
static size_t
decode(const unsigned char *text, size_t length, uint32_t *out)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = character_size(text[0]);
	uint32_t code = size < 2 ? text[0] : text[0] & 0xFFU >> (size + 1);

	if (size == 0 || size > length)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xC0U) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3FU);
	}
	if (code < smallest[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
		return 0;
	*out = code;
	return size;
}

bool
list_text_is_utf8(const char *text, size_t length)
{
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t code;

	while (length > 0) {
		size_t size = decode(byte, length, &code);

		if (size == 0)
			return false;
		byte += size;
		length -= size;
	}
	return true;
}

/* The characters that Python's str.strip() removes. */
static bool
is_space(uint32_t code)
{
	static const uint32_t ranges[][2] = {
		{ 0x09, 0x0D }, { 0x1C, 0x20 }, { 0x85, 0x85 }, { 0xA0, 0xA0 },
		{ 0x1680, 0x1680 }, { 0x2000, 0x200A }, { 0x2028, 0x2029 }, { 0x202F, 0x202F },
		{ 0x205F, 0x205F }, { 0x3000, 0x3000 }
	};
	bool found = false;

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		found = found || (code >= ranges[i][0] && code <= ranges[i][1]);
	return found;
}

/* ---- networks ---- */

/* Makes room for one more; false with a failure noted. */
static bool
make_room(list_text *list)
{
	size_t wanted = list->capacity == 0 ? 64 : list->capacity * 2;
	limen_network *more = realloc(list->networks, wanted * sizeof(*more));

	if (more == NULL) {
		list->failure = "out of memory";
		return false;
	}
	list->networks = more;
	list->capacity = wanted;
	return true;
}

void
list_text_add_network(list_text *list, const limen_network *network)
{
	if (list->failure != NULL)
		return;
	if (list->count >= LIST_TEXT_MAX) {
		list->failure = "the list has more than 4194304 entries";
		return;
	}
	if (list->count == list->capacity && !make_room(list))
		return;
	list->networks[list->count++] = *network;
}

/* ---- lines ---- */

static void
strip_start(const char **text, size_t *length)
{
	while (*length > 0) {
		uint32_t code;
		size_t size = decode((const unsigned char *)*text, *length, &code);

		if (size == 0 || !is_space(code))
			return;
		*text += size;
		*length -= size;
	}
}

static void
strip_end(const char *text, size_t *length)
{
	while (*length > 0) {
		size_t start = *length - 1;
		uint32_t code = 0;

		while (start > 0 && *length - start < 4 && (text[start] & 0xC0) == 0x80)
			start--;
		if (decode((const unsigned char *)text + start, *length - start, &code) !=
		            *length - start ||
		    !is_space(code))
			return;
		*length = start;
	}
}

static void
add_line(list_text *list, const char *line, size_t length)
{
	const char *comment = memchr(line, '#', length);
	limen_network network;

	if (comment != NULL)
		length = (size_t)(comment - line);
	strip_start(&line, &length);
	strip_end(line, &length);
	if (length == 0)
		return;
	if (loose_network_parse(line, length, &network))
		list_text_add_network(list, &network);
	else
		list->skipped++;
}

void
list_text_add(list_text *list, const char *text, size_t length)
{
	while (length > 0 && list->failure == NULL) {
		const char *end = memchr(text, '\n', length);
		size_t line = end == NULL ? length : (size_t)(end - text);

		add_line(list, text, line);
		line += end == NULL ? 0 : 1;
		text += line;
		length -= line;
	}
}

void
list_text_clear(list_text *list)
{
	free(list->networks);
	*list = (list_text){ .networks = NULL };
}
