/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_private.h"

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

int
quantity_compare_magnitude(const limen_quantity *a, const limen_quantity *b)
{
	int64_t gap = a->exponent - b->exponent;

	if (quantity_is_zero(a) || quantity_is_zero(b))
		return quantity_is_zero(b) - quantity_is_zero(a);
	if (gap == 0 && a->digits == NULL && b->digits == NULL)
		return quantity_compare_wide(quantity_magnitude(a), quantity_magnitude(b));
	if (!quantity_is_short(a) || !quantity_is_short(b))
		return compare_digits(a, b);
	if (gap > QUANTITY_POWER_MAX || gap < -QUANTITY_POWER_MAX)
		return gap < 0 ? -1 : 1;
	if (gap > 0)
		return quantity_compare_wide((quantity_wide)a->low * quantity_powers[gap], b->low);
	return quantity_compare_wide(a->low, (quantity_wide)b->low * quantity_powers[-gap]);
}

int
limen_quantity_compare(const limen_quantity *a, const limen_quantity *b)
{
	int left = limen_quantity_sign(a);
	int right = limen_quantity_sign(b);

	if (left != right)
		return left < right ? -1 : 1;
	return left * quantity_compare_magnitude(a, b);
}
