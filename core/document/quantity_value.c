/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities in JSON documents.  The API server reads the bytes between the
 * quotes and trims them, so blanks that JSON can only write as an escape are
 * not trimmed: the text would have held a backslash.
 */
#include <limen/quantity.h>

#include <string.h>

/* Unicode's White_Space in UTF-8, without control characters that JSON escapes. */
static const char *const blanks[] = {
	" ",
	"\302\205",     /* U+0085 */
	"\302\240",     /* U+00A0 */
	"\341\232\200", /* U+1680 */
	"\342\200\200", /* U+2000 to U+200A */
	"\342\200\201",
	"\342\200\202",
	"\342\200\203",
	"\342\200\204",
	"\342\200\205",
	"\342\200\206",
	"\342\200\207",
	"\342\200\210",
	"\342\200\211",
	"\342\200\212",
	"\342\200\250", /* U+2028, U+2029 */
	"\342\200\251",
	"\342\200\257", /* U+202F */
	"\342\201\237", /* U+205F */
	"\343\200\200", /* U+3000 */
};

static size_t
match_blank(const char *text, size_t length, bool at_end)
{
	for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
		size_t size = strlen(blanks[i]);

		if (size <= length &&
		    memcmp(at_end ? text + length - size : text, blanks[i], size) == 0)
			return size;
	}
	return 0;
}

/* Returns the length of the blank at the start of the text, or at its end. */
static inline size_t
find_blank(const char *text, size_t length, bool at_end)
{
	unsigned char edge;

	if (length == 0)
		return 0;
	edge = (unsigned char)text[at_end ? length - 1 : 0];
	return edge < 128 && edge != ' ' ? 0 : match_blank(text, length, at_end);
}

static int
parse_trimmed(const char *text, size_t length, unsigned flags, limen_quantity *out,
              const char **why)
{
	size_t blank = find_blank(text, length, false);

	for (; blank > 0; blank = find_blank(text, length, false)) {
		text += blank;
		length -= blank;
	}
	for (blank = find_blank(text, length, true); blank > 0;
	     blank = find_blank(text, length, true))
		length -= blank;
	return limen_quantity_parse(text, length, flags, out, why);
}

int
limen_quantity_from_value(limen_value value, unsigned flags, limen_quantity *out, const char **why)
{
	size_t length = 0;
	const char *text;

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
