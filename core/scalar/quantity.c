/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity.c - creates, copies and clears quantities, and stores magnitudes in their one normal
 * form.  A quantity of more than 38 digits owns its digits in malloc()ed memory.
 */
#include <limen/quantity.h>

#include <stdlib.h>
#include <string.h>

#include "quantity.h"

const uint64_t quantity_powers[QUANTITY_POWER_MAX + 1] = {
	1U,
	10U,
	100U,
	1000U,
	10000U,
	100000U,
	1000000U,
	10000000U,
	100000000U,
	1000000000U,
	10000000000U,
	100000000000U,
	1000000000000U,
	10000000000000U,
	100000000000000U,
	1000000000000000U,
	10000000000000000U,
	100000000000000000U,
	1000000000000000000U,
	10000000000000000000U,
};

wide
quantity_power(unsigned power)
{
	if (power <= QUANTITY_POWER_MAX)
		return quantity_powers[power];
	return (wide)quantity_powers[QUANTITY_POWER_MAX] *
	       quantity_powers[power - QUANTITY_POWER_MAX];
}

char *
quantity_write_wide(char *end, wide value)
{
	for (; value > UINT64_MAX; value /= 10)
		*--end = (char)('0' + (int)(value % 10));
	for (uint64_t rest = (uint64_t)value; rest > 0; rest /= 10)
		*--end = (char)('0' + (int)(rest % 10));
	return end;
}

void
quantity_view_open(quantity_view *view, const limen_quantity *quantity)
{
	char *end = view->room + sizeof view->room;

	view->digits = quantity->digits;
	view->count = quantity->count;
	if (quantity->digits == NULL) {
		view->digits = quantity_write_wide(end, quantity_magnitude(quantity));
		view->count = (size_t)(end - view->digits);
	}
	view->exponent = quantity->exponent;
	view->top = view->exponent + (int64_t)view->count;
}

void
quantity_set_wide(limen_quantity *quantity, wide value, int64_t exponent)
{
	for (; value > UINT64_MAX && value % 10 == 0; value /= 10)
		exponent++;
	if (value > UINT64_MAX)
		quantity_set_stripped(quantity, (uint64_t)(value >> 64), (uint64_t)value, exponent);
	else
		quantity_set_short(quantity, (uint64_t)value, exponent);
}

int
quantity_set_digits(limen_quantity *quantity, decimal number)
{
	char *memory = quantity->digits;
	bool negative = quantity->negative;
	wide value = 0;

	decimal_strip(&number);
	if (number.count <= QUANTITY_INLINE) {
		for (size_t i = 0; i < number.count; i++)
			value = value * 10 + (unsigned)(number.digits[i] - '0');
		quantity_set_wide(quantity, value, number.exponent);
		free(memory);
		return LIMEN_OK;
	}
	if (memory == NULL)
		memory = malloc(number.count);
	if (memory == NULL)
		return LIMEN_ENOMEM;
	memmove(memory, number.digits, number.count);
	quantity_set_stripped(quantity, 0, 0, 0);
	quantity->digits = memory;
	quantity->count = number.count;
	quantity->exponent = number.exponent;
	quantity->negative = negative;
	return LIMEN_OK;
}

limen_quantity
limen_quantity_from_int(int64_t value, limen_quantity_family family)
{
	uint64_t magnitude = (uint64_t)value;
	limen_quantity quantity = {
		.family = (uint8_t)family,
		.negative = value < 0,
	};

	quantity_set_wide(&quantity, value < 0 ? 0 - magnitude : magnitude, 0);
	return quantity;
}

int
limen_quantity_copy(const limen_quantity *quantity, limen_quantity *out)
{
	char *digits = NULL;

	if (quantity == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (quantity->digits != NULL) {
		digits = malloc(quantity->count);
		if (digits == NULL)
			return LIMEN_ENOMEM;
		memcpy(digits, quantity->digits, quantity->count);
	}
	*out = *quantity;
	out->digits = digits;
	return LIMEN_OK;
}

void
limen_quantity_clear(limen_quantity *quantity)
{
	if (quantity == NULL)
		return;
	/* Hardly any owns something. */
	if (quantity->digits != NULL)
		free(quantity->digits);
	*quantity = (limen_quantity)LIMEN_QUANTITY_INIT;
}

limen_quantity_family
limen_quantity_get_family(const limen_quantity *quantity)
{
	return quantity == NULL ? LIMEN_QUANTITY_DECIMAL_SI : (limen_quantity_family)quantity->family;
}

int
limen_quantity_sign(const limen_quantity *quantity)
{
	if (quantity == NULL || quantity_is_zero(quantity))
		return 0;
	return quantity->negative ? -1 : 1;
}

size_t
limen_quantity_size(const limen_quantity *quantity)
{
	return quantity == NULL || quantity->digits == NULL ? LIMEN_QUANTITY_DIGITS : quantity->count;
}

bool
limen_quantity_is_integer(const limen_quantity *quantity)
{
	return quantity != NULL && quantity->exponent >= 0;
}
