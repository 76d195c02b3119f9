/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fraction.c - adds products of decimal fractions and units column by column, from the last digit
 * to the first, and rounds the sum half to even.
 */
#include "fraction.h"

static size_t
find_longest(const fraction_term *terms, size_t count)
{
	size_t longest = 0;

	for (size_t i = 0; i < count; i++) {
		if (terms[i].count > longest)
			longest = terms[i].count;
	}
	return longest;
}

static fraction_wide
add_column(const fraction_term *terms, size_t count, size_t position)
{
	fraction_wide sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (position < terms[i].count)
			sum += (unsigned)(terms[i].digits[position] - '0') * terms[i].unit;
	}
	return sum;
}

static fraction_rest
classify(unsigned tenths, bool more)
{
	if (tenths == 0 && !more)
		return FRACTION_NONE;
	if (tenths == 5 && !more)
		return FRACTION_HALF;
	return tenths < 5 ? FRACTION_BELOW_HALF : FRACTION_ABOVE_HALF;
}

/*
 * Works from the last digit to the first.  What a column leaves behind the
 * decimal point is at most one digit plus the knowledge whether anything other
 * than zeros follows it, so numbers never grow with the length of the text.
 */
fraction_sum
fraction_total(const fraction_term *terms, size_t count)
{
	fraction_wide whole = 0;
	unsigned tenths = 0;
	bool more = false;

	for (size_t position = find_longest(terms, count); position > 0; position--) {
		whole += add_column(terms, count, position - 1);
		more = more || tenths != 0;
		tenths = (unsigned)(whole % 10);
		whole /= 10;
	}
	return (fraction_sum){ .whole = whole, .rest = classify(tenths, more) };
}

fraction_wide
fraction_round(fraction_sum sum)
{
	if (sum.rest == FRACTION_ABOVE_HALF)
		return sum.whole + 1;
	if (sum.rest == FRACTION_HALF)
		return sum.whole + (sum.whole & 1);
	return sum.whole;
}
