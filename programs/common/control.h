/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h - control characters in UTF-8: terminals obey them, and who reads lines
 * takes some for the end of one.  So texts of strangers are shown without.
 */
#ifndef LIMEN_PROGRAM_CONTROL_H
#define LIMEN_PROGRAM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* U+0080 to U+009F: each stands for ESC and another character (ECMA-48, 5.3). */
static inline bool
control_is_c1(const char *text)
{
	return text[0] == '\xc2' && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0;
}

/* How many bytes at 'text' are a control character, C0, DEL or C1; 0: none is there. */
static inline size_t
control_length(const char *text)
{
	if (((unsigned char)text[0] < 0x20 && text[0] != '\0') || text[0] == 0x7f)
		return 1;
	return control_is_c1(text) ? 2 : 0;
}

/* Makes a blank of each, as liblimen does in the reason of a decision. */
static inline void
control_blank(char *text)
{
	char *end = text;

	while (*text != '\0') {
		size_t length = control_length(text);

		*end++ = length > 0 ? ' ' : *text;
		text += length > 0 ? length : 1;
	}
	*end = '\0';
}

/* The number of the control character that is the first at 'text'. */
static inline unsigned
control_code(const char *text)
{
	return (unsigned char)text[control_length(text) - 1];
}

#endif
