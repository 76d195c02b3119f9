/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_add.c - adds and subtracts quantities exactly: in 64 bits where that suffices, else
 * digit by digit.  A result of more than 128 digits is refused.
 */
#include <limen/quantity.h>

#include <string.h>

#include "base/compiler.h"
#include "quantity.h"

enum {
	/* A difference can have one digit less than the places from its operands' first to their last. */
	SPAN_MAX = QUANTITY_DIGITS_MAX + 1
};

/* 'large' has the larger magnitude, and its sign becomes that of the result. */
static int
combine_digits(const limen_quantity *large, const limen_quantity *small, bool subtract,
               limen_quantity *out)
{
	char places[SPAN_MAX + 1];
	char *end = places + sizeof places;
	int64_t bottom = large->exponent < small->exponent ? large->exponent : small->exponent;
	decimal sum = { .digits = places, .count = sizeof places, .exponent = bottom };
	quantity_view left;
	quantity_view right;

	quantity_view_open(&left, large);
	quantity_view_open(&right, small);
	if (left.top - bottom > SPAN_MAX)
		return LIMEN_ERANGE;
	memset(places, '0', sizeof places);
	decimal_add(end - (left.exponent - bottom), left.digits, left.count);
	(subtract ? decimal_subtract : decimal_add)(end - (right.exponent - bottom), right.digits,
	                                            right.count);
	decimal_strip(&sum);
	return sum.count > QUANTITY_DIGITS_MAX ? LIMEN_ERANGE : quantity_set_digits(out, sum);
}

/* Stores 'a' plus or minus 'b', neither zero, in 'out', which owns nothing. */
static int
combine(const limen_quantity *a, const limen_quantity *b, bool negative, limen_quantity *out)
{
	bool subtract = a->negative != negative;

	if (quantity_compare_magnitude(a, b) < 0) {
		out->negative = negative;
		return combine_digits(b, a, subtract, out);
	}
	out->negative = a->negative;
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

/* Is the magnitude 1 to 64 bits?  Zero is excluded: a sum with it takes the other's family. */
static bool
is_small(const limen_quantity *quantity)
{
	return quantity->low != 0 && quantity_is_short(quantity);
}

/* Adds small numbers of one sign, the usual case; returns false for all others. */
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
	if (quantity == NULL || other == NULL)
		return LIMEN_EINVAL;
	return accumulate(quantity, other, other->negative);
}

int
limen_quantity_subtract(limen_quantity *quantity, const limen_quantity *other)
{
	if (quantity == NULL || other == NULL)
		return LIMEN_EINVAL;
	return accumulate(quantity, other, !other->negative);
}
