/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cut.h - finds the place where a text in UTF-8 may be cut, and copies the text up to there.
 */
#ifndef LIMEN_PROGRAM_CUT_H
#define LIMEN_PROGRAM_CUT_H

#include <stddef.h>
#include <string.h>

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

/* Copies as many of 'length' bytes as fit into the 'size' bytes of 'out' with a NUL. */
static inline void
cut_copy(char *out, size_t size, const char *text, size_t length)
{
	length = cut_length(text, length, size - 1);
	memcpy(out, text, length);
	out[length] = '\0';
}

#endif
