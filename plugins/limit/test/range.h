/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.h - what a range runs between, and reading values to compare with it.
 *
 * Cardinal, CardinalZero, SINumber and Probability are all numbers, compared
 * exactly with each other; Duration is a type of its own.
 */
#ifndef LIMEN_TEST_RANGE_H
#define LIMEN_TEST_RANGE_H

#include <limen/module.h>
#include <limen/si.h>

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

typedef enum bound_type {
	BOUND_INTEGER,
	BOUND_DECIMAL, /* a number with a fraction or an exponent */
	BOUND_SI,      /* a string */
	BOUND_DURATION /* a string */
} bound_type;

/* One end of a range, or a value to compare with both. */
typedef struct bound {
	bound_type type;
	decimal number;          /* unless type is BOUND_DURATION */
	limen_duration duration; /* if type is BOUND_DURATION */
} bound;

/* 'lower' to 'upper', both included. */
typedef struct span {
	bound lower;
	bound upper;
} span;

/* Reads one end.  Returns NULL, or what is wrong with 'value' ("must be ..."). */
const char *bound_read(limen_value value, bound *out);

/* Compares two numbers, or two durations. */
int bound_compare(const bound *a, const bound *b);

/* Can both be ends of one range? */
bool bound_fits(const bound *a, const bound *b);

/*
 * Reads a value to be compared with 'range'.  pScheduler's ranges of integers
 * ("data-ports" of a latency test) are objects with 'lower' and 'upper'; every
 * other value is a range of one.  Returns NULL, or what is wrong ("is not ...").
 */
const char *span_read(const span *range, limen_value value, span *out);

#endif
