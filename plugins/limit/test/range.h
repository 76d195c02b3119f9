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

#include "decimal.h"

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
