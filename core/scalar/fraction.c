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

	for (size_t i = 0; i < count; i++)
		if (terms[i].count > longest)
			longest = terms[i].count;
	return longest;
}

static wide
add_column(const fraction_term *terms, size_t count, size_t position)
{
	wide sum = 0;

	for (size_t i = 0; i < count; i++)
		if (position < terms[i].count)
			sum += (unsigned)(terms[i].digits[position] - '0') * terms[i].unit;
	return sum;
}

/*
 * Works from the last digit to the first.  What a column leaves behind the
 * decimal point is at most one digit plus the knowledge whether anything other
 * than zeros follows it, so numbers never grow with the length of the text.
 */
fraction_sum
fraction_total(const fraction_term *terms, size_t count)
{
	fraction_sum sum = { .whole = 0 };

	for (size_t position = find_longest(terms, count); position > 0; position--) {
		sum.whole += add_column(terms, count, position - 1);
		sum.more = sum.more || sum.tenths != 0;
		sum.tenths = (unsigned)(sum.whole % 10);
		sum.whole /= 10;
	}
	return sum;
}

wide
fraction_round(fraction_sum sum)
{
	if (sum.tenths != 5 || sum.more)
		return sum.whole + (sum.tenths >= 5);
	return sum.whole + (sum.whole & 1);
}
