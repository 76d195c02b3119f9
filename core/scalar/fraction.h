/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fraction.h - decimal fractions of any length, multiplied by whole units and
 * added up without losing a digit.  Durations, timestamps and SI numbers all
 * need it: "PT0.1H" is 360000000 microseconds exactly, whatever binary floating
 * point makes of 0.1.
 */
#ifndef LIMEN_CORE_SCALAR_FRACTION_H
#define LIMEN_CORE_SCALAR_FRACTION_H

#include <limen/types.h>

#include "base/wide.h"

/* The digits behind a decimal mark (ASCII, most significant first) of something 'unit' large. */
typedef struct fraction_term {
	const char *digits;
	size_t count;
	wide unit;
} fraction_term;

typedef struct fraction_sum {
	wide whole;
	unsigned tenths; /* the first digit behind the point */
	bool more;       /* others than zeros follow that */
} fraction_sum;

/*
 * Adds up 0.digits * unit over 'count' terms.  The units together must stay
 * below 2^124.  Time is linear in the longest term.
 */
fraction_sum fraction_total(const fraction_term *terms, size_t count);

/* Rounds a sum to the nearest whole number, halves to the even one. */
wide fraction_round(fraction_sum sum);

#endif
