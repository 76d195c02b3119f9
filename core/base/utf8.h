/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing
 * above U+10FFFF.  All functions are pure.
 */
#ifndef LIMEN_CORE_BASE_UTF8_H
#define LIMEN_CORE_BASE_UTF8_H

#include <limen/types.h>

/*
 * Decodes the character at the start of 'text' and returns its length in
 * bytes, or 0 when there is none or it is not UTF-8.
 */
size_t utf8_decode(const char *text, size_t length, uint32_t *code);

/* Writes 'code', which must not be a surrogate, and returns the number of bytes. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Returns how many bytes at the start of 'text' are whole, valid characters. */
size_t utf8_valid(const char *text, size_t length);

/* Is this a byte of a character behind the first? */
static inline bool
utf8_is_continuation(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* Are two bytes U+0080 to U+009F?  Each is equivalent to ESC and a character (ECMA-48, 5.3). */
static inline bool
utf8_is_c1(char first, char second)
{
	return first == '\xc2' && (unsigned char)second >= 0x80 && (unsigned char)second < 0xa0;
}

/*
 * Returns how many bytes at the start of 'text', which ends with a NUL, are a control
 * character, or 0: C0, DEL and C1, which some terminals take for ESC and a letter.
 */
size_t utf8_control(const char *text);

/*
 * Makes one line of 'text', in place, whose control characters become blanks: they would
 * let it pass itself off as several, or speak to a terminal.  NULL is fine.
 */
void utf8_one_line(char *text);

/* The position of a byte in a text, in lines and characters. */
typedef struct utf8_position {
	unsigned line;   /* from 1 */
	unsigned column; /* from 1, in characters */
	size_t character; /* from 0, since the beginning of the text */
} utf8_position;

/* Moves 'place' over 'length' bytes of 'text', which begins there. */
void utf8_advance(utf8_position *place, const char *text, size_t length);

/*
 * Finds the place of byte 'offset' of 'text', of which the bytes before it must
 * be readable.  Only line feeds end a line, as in Python's json.
 */
utf8_position utf8_locate(const char *text, size_t offset);

#endif
