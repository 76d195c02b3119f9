/* SPDX-License-Identifier: Apache-2.0 */
/* ascii.h - digits, whatever the locale. */
#ifndef LIMEN_CORE_BASE_ASCII_H
#define LIMEN_CORE_BASE_ASCII_H

#include <stdbool.h>

static inline bool
ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the value of a hexadecimal digit; 16 for any other character. */
static inline unsigned
ascii_hex_value(char c)
{
	unsigned char letter = (unsigned char)(c | 0x20);

	if (ascii_is_digit(c))
		return (unsigned)(c - '0');
	return letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a') + 10 : 16;
}

#endif
