/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_compare.c - compares a quantity with another, or with the product of two others,
 * exactly.  The common cases are compared as integers; all others by the position of the first
 * digit, then digit by digit.
 */
#include <limen/quantity.h>

#include "base/compiler.h"
#include "quantity.h"

static int
compare_digits(const limen_quantity *a, const limen_quantity *b)
{
	quantity_view left;
	quantity_view right;

	quantity_view_open(&left, a);
	quantity_view_open(&right, b);
	/* The power of ten of the first digit decides; digits are compared only if it is equal. */
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
		return quantity_compare_wide((wide)a * quantity_powers[gap], b);
	return quantity_compare_wide(a, (wide)b * quantity_powers[-gap]);
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
	int order;

	if (a == NULL || b == NULL)
		return 0;
	/* Zero has no sign. */
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	order = quantity_compare_magnitude(a, b);
	return a->negative ? -order : order;
}

/* Handles operands of at most 64 bits whose product, aligned, fits 128; else returns false. */
static bool
compare_short_product(const limen_quantity *a, const limen_quantity *b, const limen_quantity *c,
                      int *order)
{
	int64_t gap = b->exponent + c->exponent - a->exponent;
	wide product;

	if (!quantity_is_short(a) || !quantity_is_short(b) || !quantity_is_short(c))
		return false;
	product = (wide)b->low * c->low;
	if (gap > QUANTITY_POWER_MAX || gap < -QUANTITY_POWER_MAX)
		return false;
	if (gap > 0) {
		if (product > UINT64_MAX)
			return false;
		*order = quantity_compare_wide(a->low, product * quantity_powers[gap]);
		return true;
	}
	*order = quantity_compare_wide((wide)a->low * quantity_powers[-gap], product);
	return true;
}

/* None is zero. */
static int
compare_product(const limen_quantity *a, const limen_quantity *b, const limen_quantity *c,
                int *order)
{
	quantity_view left;
	quantity_view right[2];
	char digits[QUANTITY_DIGITS_MAX];
	decimal product = { .digits = digits };
	int64_t top;

	quantity_view_open(&left, a);
	quantity_view_open(&right[0], b);
	quantity_view_open(&right[1], c);
	/* A product has as many digits as its factors together, or one less. */
	top = right[0].top + right[1].top;
	if (left.top > top || left.top < top - 1) {
		*order = left.top > top ? 1 : -1;
		return LIMEN_OK;
	}
	product.count = right[0].count + right[1].count;
	if (product.count > QUANTITY_DIGITS_MAX)
		return LIMEN_ERANGE;
	decimal_multiply(digits, right[0].digits, right[0].count, right[1].digits, right[1].count);
	if (*digits == '0') {
		product.digits++;
		product.count--;
		top--;
	}
	*order = left.top != top ? (left.top < top ? -1 : 1)
	                         : decimal_compare(left.digits, left.count, product.digits,
	                                           product.count);
	return LIMEN_OK;
}

int
limen_quantity_compare_product(const limen_quantity *a, const limen_quantity *b,
                               const limen_quantity *c, int *order)
{
	if (a == NULL || b == NULL || c == NULL || order == NULL)
		return LIMEN_EINVAL;
	if (quantity_is_zero(b) || quantity_is_zero(c)) {
		*order = !quantity_is_zero(a);
		return LIMEN_OK;
	}
	if (quantity_is_zero(a)) {
		*order = -1;
		return LIMEN_OK;
	}
	return compare_short_product(a, b, c, order) ? LIMEN_OK : compare_product(a, b, c, order);
}
