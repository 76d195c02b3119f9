/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h - finds control and format characters in UTF-8, which are never shown raw.
 * Terminals obey control characters, line readers take some for the end of a line, and
 * characters that are invisible or change the writing direction disguise a text as another one.
 */
#ifndef LIMEN_PROGRAM_CONTROL_H
#define LIMEN_PROGRAM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* U+0080 to U+009F: each is equivalent to ESC and another character (ECMA-48, 5.3). */
static inline bool
control_is_c1(const char *text)
{
	return text[0] == '\xc2' && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0;
}

/*
 * U+2028 and U+2029 end lines; U+202A to U+202E and U+2066 to U+2069 set direction (UAX 9); U+200B
 * to U+200F and U+FEFF have no width.
 */
static inline bool
control_is_format(const char *text)
{
	unsigned char last;

	if (text[0] == '\xef')
		return text[1] == '\xbb' && text[2] == '\xbf';
	if (text[0] != '\xe2' || (text[1] != '\x80' && text[1] != '\x81'))
		return false;
	last = (unsigned char)text[2];
	return text[1] == '\x80' ? (last >= 0x8b && last <= 0x8f) || (last >= 0xa8 && last <= 0xae)
	                         : last >= 0xa6 && last <= 0xa9;
}

/* U+E0000 to U+E007F are tags: invisible copies of ASCII. */
static inline bool
control_is_tag(const char *text)
{
	return text[0] == '\xf3' && text[1] == '\xa0' && (text[2] == '\x80' || text[2] == '\x81') &&
	       text[3] != '\0';
}

/* Returns the length in bytes of the C0, DEL, C1, format or tag character at 'text', or 0. */
static inline size_t
control_length(const char *text)
{
	if (((unsigned char)text[0] < 0x20 && text[0] != '\0') || text[0] == 0x7f)
		return 1;
	if (control_is_c1(text))
		return 2;
	if (control_is_tag(text))
		return 4;
	return control_is_format(text) ? 3 : 0;
}

/* Holds what control_print() writes. */
#define CONTROL_PRINT_MAX 32

/*
 * Writes the character that control_length() found at 'text' as JSON does: 'start' ("\\u") and
 * four digits, twice for a tag.
 */
static inline void
control_print(const char *text, const char *start, char out[CONTROL_PRINT_MAX])
{
	size_t length = control_length(text);
	unsigned last = (unsigned char)text[length - 1];

	if (length == 4)
		snprintf(out, CONTROL_PRINT_MAX, "%sdb40%s%04x", start, start,
		         0xdc00U | ((unsigned)text[2] & 1) << 6 | (last & 0x3f));
	else
		snprintf(out, CONTROL_PRINT_MAX, "%s%04x", start,
		         length < 3 ? last
		                    : ((unsigned)text[0] & 0xf) << 12 |
		                              ((unsigned)text[1] & 0x3f) << 6 | (last & 0x3f));
}

#endif
