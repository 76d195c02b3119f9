/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_round.c - rounds quantities away from zero to a power of ten, in place or into an
 * int64_t that saturates.
 */
#include <limen/quantity.h>

#include <string.h>

#include "base/compiler.h"
#include "quantity.h"

bool
limen_quantity_round_up(limen_quantity *quantity, int32_t scale)
{
	quantity_view view;
	char digits[QUANTITY_DIGITS_MAX];
	decimal number;

	if (quantity == NULL || quantity->exponent >= scale || quantity_is_zero(quantity))
		return true;
	quantity_view_open(&view, quantity);
	memcpy(digits, view.digits, view.count);
	number = (decimal){ .digits = digits, .count = view.count, .exponent = view.exponent };
	decimal_round_up(&number, scale);
	/* Rounding adds no digits, so this needs no memory. */
	(void)quantity_set_digits(quantity, number);
	return false;
}

static int64_t
saturate(bool negative, uint64_t magnitude)
{
	if (negative)
		return magnitude > INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
	return magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
}

static OUTLINE int64_t
scale_any(const limen_quantity *quantity, int32_t scale)
{
	quantity_view view;
	uint64_t value = 0;
	int64_t digits;

	quantity_view_open(&view, quantity);
	if (view.count == 0)
		return 0;
	digits = view.top - scale;
	if (digits > QUANTITY_POWER_MAX)
		return saturate(quantity->negative, UINT64_MAX);
	for (int64_t i = 0; i < digits; i++) {
		unsigned digit = i < (int64_t)view.count ? (unsigned)(view.digits[i] - '0') : 0;

		value = value * 10 + digit;
	}
	/* Whatever is left over is not zero, as no magnitude ends in zeros. */
	return saturate(quantity->negative, value + (view.exponent < scale));
}

int64_t
limen_quantity_scaled(const limen_quantity *quantity, int32_t scale)
{
	uint64_t gap, value;

	if (quantity == NULL)
		return 0;
	gap = (uint64_t)(quantity->exponent - scale);
	if (quantity_is_short(quantity) && gap <= QUANTITY_POWER_MAX &&
	    !__builtin_mul_overflow(quantity->low, quantity_powers[gap], &value) &&
	    value <= INT64_MAX)
		return quantity->negative ? -(int64_t)value : (int64_t)value;
	return scale_any(quantity, scale);
}
