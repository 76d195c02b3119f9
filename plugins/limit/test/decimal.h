/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decimal.h - numbers of any size, compared digit by digit.  Binary floating
 * point would move the ends of a range: 0.1 is not representable, and neither
 * are integers beyond 2^53.
 */
#ifndef LIMEN_TEST_DECIMAL_H
#define LIMEN_TEST_DECIMAL_H

#include <limen/si.h>
#include <limen/types.h>

/* 2^127 has 39 digits. */
#define DECIMAL_SI_DIGITS 40

/* The fields are private.  Zero is all zero. */
typedef struct decimal {
	bool negative;
	size_t length;    /* of the digits, from the first to the last that is not zero */
	const char *text; /* may have a point in it; NULL: they are in 'digits' */
	char digits[DECIMAL_SI_DIGITS];
	int64_t top;      /* power of ten of the first digit */
	int64_t bottom;   /* power of ten of the last digit */
} decimal;

/*
 * Reads a number as JSON writes it and keeps pointing into 'text'.  Returns
 * false for NaN, infinities, and exponents beyond a thousand million.
 */
bool decimal_read(const char *text, size_t length, decimal *out);

/* Makes a number of an SI number. */
decimal decimal_from_si(const limen_si *number);

bool decimal_is_whole(const decimal *number);

/* Returns a value below, equal to or above zero as 'a' is to 'b'. */
int decimal_compare(const decimal *a, const decimal *b);

#endif
