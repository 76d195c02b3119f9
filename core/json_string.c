/* SPDX-License-Identifier: Apache-2.0 */
#include "json_string.h"

#include <string.h>

#include "utf8.h"

bool
json_fail(json_cursor *in, size_t at, const char *error)
{
	in->error = error;
	in->error_at = at;
	return false;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Reads the four digits behind "\u", whose "u" is at 'at'. */
static bool
read_hex(json_cursor *in, size_t at, uint32_t *code)
{
	*code = 0;
	/* A fifth character must follow, if only the closing quote. */
	if (in->length - at <= 5)
		return false;
	for (size_t i = 1; i <= 4; i++) {
		int digit = hex_digit(in->text[at + i]);

		if (digit < 0)
			return false;
		*code = *code << 4 | (uint32_t)digit;
	}
	return true;
}

/*
 * Reads "\uXXXX" or a surrogate pair of two of them.  A surrogate on its own
 * has no UTF-8 form, so it is refused, unlike in Python.
 */
static bool
read_unicode_escape(json_cursor *in, uint32_t *code)
{
	size_t at = in->at + 1;
	uint32_t low;

	if (!read_hex(in, at, code))
		return json_fail(in, at, "Invalid \\uXXXX escape");
	in->at += 6;
	if (*code < 0xD800 || *code > 0xDFFF)
		return true;
	if (*code <= 0xDBFF && in->length - in->at >= 2 &&
	    memcmp(in->text + in->at, "\\u", 2) == 0) {
		if (!read_hex(in, in->at + 1, &low))
			return json_fail(in, in->at + 1, "Invalid \\uXXXX escape");
		in->at += 6;
		*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
		if (low >= 0xDC00 && low <= 0xDFFF)
			return true;
	}
	return json_fail(in, at, "Lone surrogate in \\uXXXX escape");
}

/* Unescapes what begins at the backslash 'in->at' into the scratch text. */
static bool
read_escape(json_cursor *in, strbuf *scratch)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *found;
	uint32_t code;
	char bytes[4];

	if (in->text[in->at + 1] == 'u') {
		if (!read_unicode_escape(in, &code))
			return false;
		strbuf_add(scratch, bytes, utf8_encode(code, bytes));
		return true;
	}
	found = memchr(letters, in->text[in->at + 1], sizeof(letters) - 1);
	if (found == NULL)
		return json_fail(in, in->at, "Invalid \\escape");
	strbuf_addc(scratch, meanings[found - letters]);
	in->at += 2;
	return true;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Is one of the eight bytes a quote, a backslash or a control character? */
static bool
has_special(uint64_t word)
{
	uint64_t quote = word ^ EACH_BYTE('"');
	uint64_t backslash = word ^ EACH_BYTE('\\');

	/* Subtracting sets the top bit of a byte that was less; bytes that had it are out. */
	return ((((quote - EACH_BYTE(1)) & ~quote) | ((backslash - EACH_BYTE(1)) & ~backslash) |
	         ((word - EACH_BYTE(0x20)) & ~word)) &
	        EACH_BYTE(0x80)) != 0;
}

/* Moves to the next quote, backslash or control character, or to the end. */
static void
skip_plain(json_cursor *in)
{
	const char *text = in->text;
	size_t at = in->at;

	while (in->length - at >= sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, text + at, sizeof(word));
		if (has_special(word))
			break;
		at += sizeof(word);
	}
	while (at < in->length && text[at] != '"' && text[at] != '\\' &&
	       (unsigned char)text[at] >= 0x20)
		at++;
	in->at = at;
}

bool
json_string_read(json_cursor *in, strbuf *scratch, const char **text, size_t *length)
{
	size_t begin = in->at++;
	size_t plain = in->at;

	scratch->length = 0;
	for (;;) {
		skip_plain(in);
		if (json_is_next(in, '"'))
			break;
		if (in->at < in->length && !json_is_next(in, '\\'))
			return json_fail(in, in->at, "Invalid control character at");
		if (in->at + 1 >= in->length)
			return json_fail(in, begin, "Unterminated string starting at");
		strbuf_add(scratch, in->text + plain, in->at - plain);
		if (!read_escape(in, scratch))
			return false;
		plain = in->at;
	}
	*text = in->text + plain;
	*length = in->at - plain;
	if (plain > begin + 1) {
		strbuf_add(scratch, *text, *length);
		*text = scratch->text;
		*length = scratch->length;
	}
	in->at++;
	return true;
}
