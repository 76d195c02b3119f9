/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_add.c - adds and subtracts quantities exactly.  Sums are computed in 64 bits, in 128
 * bits, or digit by digit, whichever is the first that fits.
 */
#include <limen/quantity.h>

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "quantity.h"

/* One column of digits: from 10^bottom up to, but not including, 10^top. */
struct column {
	char *memory;
	size_t count;
	int64_t bottom;
	int64_t top;
};

/* Makes a column of zeros that holds both operands and a carry. */
static int
make_column(const quantity_view *a, const quantity_view *b, struct column *column)
{
	size_t most = a->count + b->count + LIMEN_QUANTITY_GAP_MAX;

	column->bottom = a->exponent < b->exponent ? a->exponent : b->exponent;
	column->top = (a->top > b->top ? a->top : b->top) + 1;
	column->count = (size_t)(column->top - column->bottom);
	if (column->count > most + 1)
		return LIMEN_ERANGE;
	column->memory = malloc(column->count);
	if (column->memory == NULL)
		return LIMEN_ENOMEM;
	memset(column->memory, '0', column->count);
	return LIMEN_OK;
}

static char *
find_end(const struct column *column, const quantity_view *view)
{
	return column->memory + (column->top - view->exponent);
}

/* 'large' has the larger magnitude, and its sign becomes that of the result. */
static int
combine_digits(const limen_quantity *large, const limen_quantity *small, bool subtract,
               limen_quantity *out)
{
	quantity_view left;
	quantity_view right;
	struct column column;
	decimal sum;
	int result;

	quantity_view_open(&left, large);
	quantity_view_open(&right, small);
	result = make_column(&left, &right, &column);
	if (result != LIMEN_OK)
		return result;
	decimal_add(find_end(&column, &left), left.digits, left.count);
	if (subtract)
		decimal_subtract(find_end(&column, &right), right.digits, right.count);
	else
		decimal_add(find_end(&column, &right), right.digits, right.count);
	sum = (decimal){
		.digits = column.memory,
		.count = column.count,
		.exponent = column.bottom,
	};
	quantity_set_digits(out, sum, column.memory);
	return LIMEN_OK;
}

/* Gives the magnitude as a multiple of 10^exponent if that surely fits 128 bits. */
static bool
get_aligned(const limen_quantity *quantity, int64_t exponent, quantity_wide *out)
{
	int64_t gap = quantity->exponent - exponent;

	if (quantity->digits != NULL || gap > QUANTITY_POWER_MAX)
		return false;
	if (gap > 0 && quantity->high != 0)
		return false;
	*out = quantity_magnitude(quantity) * quantity_powers[gap];
	return true;
}

/* Both terms are below 2 * 10^38, and at most one of them above 10^38: the sum fits 128 bits. */
static bool
combine_wide(const limen_quantity *large, const limen_quantity *small, bool subtract,
             limen_quantity *out)
{
	int64_t exponent = large->exponent < small->exponent ? large->exponent : small->exponent;
	quantity_wide left;
	quantity_wide right;

	if (!get_aligned(large, exponent, &left) || !get_aligned(small, exponent, &right))
		return false;
	left = subtract ? left - right : left + right;
	if (left >= quantity_power(QUANTITY_INLINE))
		return false;
	quantity_set_wide(out, left, exponent);
	return true;
}

/* Stores 'a' plus or minus 'b', neither zero, in 'out', which owns nothing. */
static int
combine(const limen_quantity *a, const limen_quantity *b, bool negative, limen_quantity *out)
{
	bool subtract = a->negative != negative;

	out->negative = a->negative;
	if (subtract && quantity_compare_magnitude(a, b) < 0) {
		const limen_quantity *larger = b;

		b = a;
		a = larger;
		out->negative = negative;
	}
	if (combine_wide(a, b, subtract, out))
		return LIMEN_OK;
	return combine_digits(a, b, subtract, out);
}

/* The sum of magnitudes of 64 bits as one of 64 bits times 10^exponent; false if there is none. */
static bool
add_short(const limen_quantity *high, const limen_quantity *low, uint64_t *sum)
{
	int64_t gap = high->exponent - low->exponent;

	return gap <= QUANTITY_POWER_MAX &&
	       !__builtin_mul_overflow(high->low, quantity_powers[gap], sum) &&
	       !__builtin_add_overflow(*sum, low->low, sum);
}

/* Of 64 bits, and not 0, which takes the family of what is added. */
static bool
is_small(const limen_quantity *quantity)
{
	return quantity->low != 0 && quantity_is_short(quantity);
}

/* Most sums are of small numbers of one sign; false if this is another. */
static bool
accumulate_short(limen_quantity *quantity, const limen_quantity *other, bool negative)
{
	bool above = quantity->exponent > other->exponent;
	const limen_quantity *high = above ? quantity : other;
	const limen_quantity *low = above ? other : quantity;
	uint64_t sum;

	if (!is_small(quantity) || !is_small(other) || quantity->negative != negative ||
	    !add_short(high, low, &sum))
		return false;
	quantity_set_short(quantity, sum, low->exponent);
	return true;
}

static OUTLINE int
accumulate_any(limen_quantity *quantity, const limen_quantity *other, bool negative)
{
	limen_quantity sum = LIMEN_QUANTITY_INIT;
	int result = LIMEN_OK;

	if (quantity_is_zero(other)) {
		if (quantity_is_zero(quantity))
			quantity->family = other->family;
		quantity->written = NULL;
		return LIMEN_OK;
	}
	sum.family = quantity->family;
	if (quantity_is_zero(quantity)) {
		result = limen_quantity_copy(other, &sum);
		sum.negative = negative;
		sum.written = NULL;
	} else {
		result = combine(quantity, other, negative, &sum);
	}
	if (result != LIMEN_OK)
		return result;
	limen_quantity_clear(quantity);
	*quantity = sum;
	return LIMEN_OK;
}

/* Adds 'other' with the sign 'negative'. */
static int
accumulate(limen_quantity *quantity, const limen_quantity *other, bool negative)
{
	if (accumulate_short(quantity, other, negative))
		return LIMEN_OK;
	return accumulate_any(quantity, other, negative);
}

int
limen_quantity_add(limen_quantity *quantity, const limen_quantity *other)
{
	return accumulate(quantity, other, other->negative);
}

int
limen_quantity_subtract(limen_quantity *quantity, const limen_quantity *other)
{
	return accumulate(quantity, other, !other->negative);
}
