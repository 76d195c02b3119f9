/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_compare.c - compares quantities exactly.  The common cases are compared as integers;
 * all others by the position of the first digit, then digit by digit.
 */
#include <limen/quantity.h>

#include "base/compiler.h"
#include "quantity.h"

/* Where the first digits stand decides before any digit is looked at. */
static int
compare_digits(const limen_quantity *a, const limen_quantity *b)
{
	quantity_view left;
	quantity_view right;

	quantity_view_open(&left, a);
	quantity_view_open(&right, b);
	if (left.top != right.top)
		return left.top < right.top ? -1 : 1;
	return decimal_compare(left.digits, left.count, right.digits, right.count);
}

/* Magnitudes of 64 bits whose exponents are 'gap' apart, at most QUANTITY_POWER_MAX; 0 too. */
static int
compare_short(uint64_t a, uint64_t b, int64_t gap)
{
	if (gap == 0)
		return (a > b) - (a < b);
	if (gap > 0)
		return quantity_compare_wide((quantity_wide)a * quantity_powers[gap], b);
	return quantity_compare_wide(a, (quantity_wide)b * quantity_powers[-gap]);
}

static OUTLINE int
compare_long(const limen_quantity *a, const limen_quantity *b)
{
	if (quantity_is_zero(a) || quantity_is_zero(b))
		return quantity_is_zero(b) - quantity_is_zero(a);
	if (a->exponent == b->exponent && a->digits == NULL && b->digits == NULL)
		return quantity_compare_wide(quantity_magnitude(a), quantity_magnitude(b));
	return compare_digits(a, b);
}

int
quantity_compare_magnitude(const limen_quantity *a, const limen_quantity *b)
{
	int64_t gap = a->exponent - b->exponent;

	if (quantity_is_short(a) && quantity_is_short(b) && gap <= QUANTITY_POWER_MAX &&
	    gap >= -QUANTITY_POWER_MAX)
		return compare_short(a->low, b->low, gap);
	return compare_long(a, b);
}

int
limen_quantity_compare(const limen_quantity *a, const limen_quantity *b)
{
	/* Zero has no sign. */
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? quantity_compare_magnitude(b, a) : quantity_compare_magnitude(a, b);
}
