/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities in JSON documents.  The API server reads the bytes between the
 * quotes and trims them, so blanks that JSON can only write as an escape are
 * not trimmed: the text would have held a backslash.
 */
#include <limen/quantity.h>

#include "base/utf8.h"

/* Returns the length of the blank at the start of the text, or 0. */
static size_t
find_blank(const char *text, size_t length)
{
	uint32_t code = 0;
	size_t size = utf8_decode(text, length, &code);

	/* Unicode's White_Space without control characters that JSON escapes. */
	bool is_blank = code == ' ' || code == 0x85 || code == 0xA0 || code == 0x1680 ||
	                (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
	                code == 0x202F || code == 0x205F || code == 0x3000;

	return is_blank ? size : 0;
}

/* Returns the length of the blank at the end of the text, or 0; it has three bytes at most. */
static size_t
find_last_blank(const char *text, size_t length)
{
	for (size_t size = 1; size <= 3 && size <= length; size++)
		if (find_blank(text + length - size, size) == size)
			return size;
	return 0;
}

/* Is it ASCII above the blank?  Most texts begin and end so. */
static bool
is_plain(char c)
{
	return (unsigned char)c > ' ' && (unsigned char)c < 128;
}

static int
parse_trimmed(const char *text, size_t length, unsigned flags, limen_quantity *out,
              const char **why)
{
	size_t blank;

	if (length > 0 && is_plain(text[0]) && is_plain(text[length - 1]))
		return limen_quantity_parse(text, length, flags, out, why);
	while ((blank = find_blank(text, length)) > 0) {
		text += blank;
		length -= blank;
	}
	while ((blank = find_last_blank(text, length)) > 0)
		length -= blank;
	return limen_quantity_parse(text, length, flags, out, why);
}

int
limen_quantity_from_value(limen_value value, unsigned flags, limen_quantity *out, const char **why)
{
	size_t length = 0;
	const char *text;

	if (out == NULL)
		return LIMEN_EINVAL;
	switch (limen_value_type(value)) {
	case LIMEN_TYPE_NONE:
		return LIMEN_ENOENT;
	case LIMEN_TYPE_NULL:
		*out = (limen_quantity)LIMEN_QUANTITY_INIT;
		return LIMEN_OK;
	case LIMEN_TYPE_STRING:
		text = limen_value_string(value, &length);
		return parse_trimmed(text, length, flags, out, why);
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		text = limen_value_number(value, &length);
		return limen_quantity_parse(text, length, flags, out, why);
	case LIMEN_TYPE_BOOL:
	case LIMEN_TYPE_ARRAY:
	case LIMEN_TYPE_OBJECT:
		break;
	}
	/* No text of such a value is a quantity; the empty one has the same error. */
	return limen_quantity_parse("", 0, 0, out, why);
}
