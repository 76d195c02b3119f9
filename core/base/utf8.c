/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.c - decodes, encodes and validates UTF-8 (RFC 3629), finds control characters and counts
 * lines and columns.
 */
#include "utf8.h"

#include <string.h>

/* Returns the length that a lead byte announces, and the smallest code it may carry. */
static size_t
read_lead(unsigned char lead, uint32_t *bits, uint32_t *least)
{
	if (lead < 0x80) {
		*bits = lead;
		*least = 0;
		return 1;
	}
	if (lead >= 0xC0 && lead < 0xE0) {
		*bits = lead & 0x1Fu;
		*least = 0x80;
		return 2;
	}
	if (lead >= 0xE0 && lead < 0xF0) {
		*bits = lead & 0x0Fu;
		*least = 0x800;
		return 3;
	}
	if (lead >= 0xF0 && lead < 0xF8) {
		*bits = lead & 0x07u;
		*least = 0x10000;
		return 4;
	}
	return 0;
}

size_t
utf8_decode(const char *text, size_t length, uint32_t *code)
{
	uint32_t bits = 0;
	uint32_t least = 0;
	size_t size;

	if (length == 0)
		return 0;
	size = read_lead((unsigned char)text[0], &bits, &least);
	if (size == 0 || size > length)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if (!utf8_is_continuation(text[i]))
			return 0;
		bits = bits << 6 | ((unsigned char)text[i] & 0x3Fu);
	}
	if (bits < least || bits > 0x10FFFF || (bits >= 0xD800 && bits <= 0xDFFF))
		return 0;
	*code = bits;
	return size;
}

size_t
utf8_encode(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3F));
		out[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | (code >> 18 & 0x07));
	out[1] = (char)(0x80 | (code >> 12 & 0x3F));
	out[2] = (char)(0x80 | (code >> 6 & 0x3F));
	out[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

/*
 * Most text is ASCII; eight bytes at a time keep the check out of every profile.  The rest is read
 * byte by byte: a load of eight bytes that were just stored in two parts waits 5 ns.
 */
static size_t
skip_ascii(const char *text, size_t length, size_t offset)
{
	while (length - offset >= sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, text + offset, sizeof(word));
		if ((word & UINT64_C(0x8080808080808080)) != 0)
			break;
		offset += sizeof(word);
	}
	while (offset < length && (unsigned char)text[offset] < 0x80)
		offset++;
	return offset;
}

size_t
utf8_valid(const char *text, size_t length)
{
	size_t offset = skip_ascii(text, length, 0);

	while (offset < length) {
		uint32_t code;
		size_t size = utf8_decode(text + offset, length - offset, &code);

		if (size == 0)
			return offset;
		offset += size;
		if (offset < length && (unsigned char)text[offset] < 0x80)
			offset = skip_ascii(text, length, offset);
	}
	return offset;
}

size_t
utf8_control(const char *text)
{
	unsigned char first = (unsigned char)text[0];

	if (first != '\0' && utf8_is_c1(text[0], text[1]))
		return 2;
	return (first != '\0' && first < ' ') || first == 0x7F ? 1 : 0;
}

/* Returns how many bytes at the start are printable ASCII, in steps of eight. */
static size_t
skip_printable(const char *text, size_t length)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	size_t offset = 0;
	uint64_t word;

	for (; length - offset >= sizeof(word); offset += sizeof(word)) {
		memcpy(&word, text + offset, sizeof(word));
		/* The highest bit of a byte: below a blank, above "~", or not ASCII. */
		if ((((word - ones * ' ') | (word + ones) | word) & ones * 0x80) != 0)
			break;
	}
	return offset;
}

void
utf8_one_line(char *text)
{
	char *end;

	if (text == NULL)
		return;
	/* Most texts have nothing to replace. */
	text += skip_printable(text, strlen(text));
	end = text;
	while (*text != '\0') {
		size_t control = utf8_control(text);

		*end++ = control > 0 ? ' ' : *text;
		text += control > 0 ? control : 1;
	}
	*end = '\0';
}

void
utf8_advance(utf8_position *place, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (utf8_is_continuation(text[i]))
			continue;
		place->character++;
		place->column++;
		if (text[i] == '\n') {
			place->line++;
			place->column = 1;
		}
	}
}

utf8_position
utf8_locate(const char *text, size_t offset)
{
	utf8_position place = { .line = 1, .column = 1, .character = 0 };

	utf8_advance(&place, text, offset);
	return place;
}
