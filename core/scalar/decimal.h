/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decimal.h - whole numbers as ASCII digits, most significant first, for
 * quantities that are too long for a machine word.  Text goes in and out
 * unchanged, powers of ten are a matter of where digits stand, and everything
 * here is linear in the number of digits.  Nothing allocates.
 */
#ifndef LIMEN_CORE_SCALAR_DECIMAL_H
#define LIMEN_CORE_SCALAR_DECIMAL_H

#include <limen/types.h>

/* Digits somewhere in a buffer of the caller: their number times 10^exponent. */
typedef struct decimal {
	char *digits;
	size_t count; /* 0 for zero */
	int64_t exponent;
} decimal;

/* Drops zeros at both ends; the value stays the same. */
void decimal_strip(decimal *number);

/* Writes the a_count + b_count digits of a * b, which may begin with a zero, to 'out'. */
void decimal_multiply(char *out, const char *a, size_t a_count, const char *b, size_t b_count);

/* Rounds up to a multiple of 10^scale.  The number must not have leading zeros. */
void decimal_round_up(decimal *number, int64_t scale);

/*
 * Each adds or subtracts 'digits' to or from the digits that end before 'end'.
 * The digits further ahead take the carry or borrow; they must suffice.
 */
void decimal_add(char *end, const char *digits, size_t count);
void decimal_subtract(char *end, const char *digits, size_t count);

/* Compares 0.a with 0.b: digits that start at the same place. */
int decimal_compare(const char *a, size_t a_count, const char *b, size_t b_count);

#endif
