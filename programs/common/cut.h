/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cut.h - finds the place where a text in UTF-8 may be cut.
 */
#ifndef LIMEN_PROGRAM_CUT_H
#define LIMEN_PROGRAM_CUT_H

#include <stddef.h>

/* Returns the largest offset up to 'most' at which a character begins; text[most] is read. */
static inline size_t
cut_before(const char *text, size_t most)
{
	while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

/* Returns how many of 'length' bytes to keep: at most 'most', ending between characters. */
static inline size_t
cut_length(const char *text, size_t length, size_t most)
{
	return length <= most ? length : cut_before(text, most);
}

#endif
