/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_string.c - reads JSON strings with escapes (RFC 8259 section 7) into one shared block of the
 * arena, and JSON numbers, with NaN and Infinity if the caller accepts them.  It rejects invalid
 * UTF-8.  Its messages follow Python's json; unlike Python it refuses lone surrogates.
 */
#include "json_string.h"

#include <limits.h>
#include <string.h>

#include "json_block.h"
#include "scalar/scalar.h"
#include "base/ascii.h"
#include "base/utf8.h"

bool
json_fail(json_cursor *in, size_t offset, const char *error)
{
	in->error = error;
	in->error_at = offset;
	return false;
}

bool
json_check_utf8(json_cursor *in)
{
	size_t valid = utf8_valid(in->text, in->length);

	if (valid < in->length)
		return json_fail(in, valid, "Invalid UTF-8");
	if (in->length >= 3 && memcmp(in->text, "\xEF\xBB\xBF", 3) == 0)
		return json_fail(in, 0, "Unexpected UTF-8 BOM (decode using utf-8-sig)");
	return true;
}

/* Reads the four digits behind "\u", whose "u" is at 'offset'. */
static bool
read_hex(json_cursor *in, size_t offset, uint32_t *code)
{
	*code = 0;
	/* A fifth character must follow, if only the closing quote. */
	if (in->length - offset <= 5)
		return false;
	for (size_t i = 1; i <= 4; i++) {
		unsigned digit = ascii_hex_value(in->text[offset + i]);

		if (digit > 15)
			return false;
		*code = *code << 4 | digit;
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
	size_t offset = in->at + 1;
	uint32_t low;

	if (!read_hex(in, offset, code))
		return json_fail(in, offset, "Invalid \\uXXXX escape");
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
	return json_fail(in, offset, "Lone surrogate in \\uXXXX escape");
}

/* Reads the escape whose backslash is next; a byte must follow that. */
static bool
read_escape(json_cursor *in, char **out)
{
	static const char meanings[UCHAR_MAX + 1] = {
		['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
	};
	char letter = in->text[in->at + 1];
	char meaning = meanings[(unsigned char)letter];
	uint32_t code;

	if (letter == 'u') {
		if (!read_unicode_escape(in, &code))
			return false;
		*out += utf8_encode(code, *out);
		return true;
	}
	if (meaning == '\0')
		return json_fail(in, in->at, "Invalid \\escape");
	**out = meaning;
	*out += 1;
	in->at += 2;
	return true;
}

/*
 * Reads the string whose opening quote is next and steps behind it.  Writes the decoded
 * text, which is never longer than its source, and a NUL to '*out', and moves '*out' to
 * that NUL.  Returns false after json_fail().
 */
static bool
read_string(json_cursor *in, const uint64_t *marks, char **out)
{
	size_t begin = in->at++;

	for (;;) {
		size_t plain = in->at;

		in->at = json_block_next(marks, plain);
		memcpy(*out, in->text + plain, in->at - plain);
		*out += in->at - plain;
		if (in->at < in->length && in->text[in->at] == '"')
			break;
		if (in->at < in->length && in->text[in->at] != '\\')
			return json_fail(in, in->at, "Invalid control character at");
		if (in->at + 1 >= in->length)
			return json_fail(in, begin, "Unterminated string starting at");
		if (!read_escape(in, out))
			return false;
	}
	**out = '\0';
	in->at++;
	return true;
}

/*
 * Reserves one block for all strings with escapes.  Escapes are longer than the decoded
 * characters, so as many bytes as the rest of the text has are enough, with a NUL for
 * each closing quote.
 */
static char *
reserve_rest(json_tokens *in, size_t offset)
{
	if (in->spare == NULL)
		in->spare = arena_alloc(in->texts, in->cursor->length - offset);
	return in->spare;
}

bool
json_token_string(json_tokens *in, const uint64_t *marks, size_t offset, json_token *out)
{
	char *copy = reserve_rest(in, offset);
	char *end = copy;

	in->cursor->at = offset;
	if (copy == NULL || !read_string(in->cursor, marks, &end))
		return false;
	*out = (json_token){ LIMEN_TYPE_STRING, copy, (size_t)(end - copy), in->cursor->at };
	in->spare = end + 1;
	return true;
}

/* Returns the length of NaN, Infinity or -Infinity at 'text', or 0. */
static size_t
scan_word(const char *text)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i]);

		if (strncmp(text, words[i], length) == 0)
			return length;
	}
	return 0;
}

bool
json_token_number(json_tokens *in, size_t offset, json_token *out)
{
	const char *text = in->cursor->text + offset;
	size_t length = number_scan(text, in->cursor->length - offset);
	limen_type type;

	if (length == 0 && in->nan)
		length = scan_word(text);
	if (length == 0)
		return json_fail(in->cursor, offset, "Expecting value");
	type = number_is_integer(text, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;
	*out = (json_token){ type, text, length, offset + length };
	return true;
}
