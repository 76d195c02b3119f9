/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity.h - the representation of quantities, for the files that compute with them.
 *
 * The magnitude is a whole number of at most QUANTITY_DIGITS_MAX digits times
 * 10^exponent.  It never ends in a zero, and lies in high and low if it has at
 * most QUANTITY_INLINE digits, else in 'digits' (malloc()ed, 'count' of them).
 * Zero has neither sign nor exponent.  So every value has exactly one form.
 */
#ifndef LIMEN_CORE_SCALAR_QUANTITY_H
#define LIMEN_CORE_SCALAR_QUANTITY_H

#include <limen/quantity.h>

#include "base/wide.h"
#include "decimal.h"

enum {
	QUANTITY_INLINE = LIMEN_QUANTITY_DIGITS, /* what surely fits 128 bits */
	QUANTITY_PARSED_MAX = 64,  /* significant digits of a text */
	QUANTITY_DIGITS_MAX = 128, /* of a sum, and of a product of two texts */
	QUANTITY_POWER_MAX = 19, /* the largest power of ten in 64 bits */
	QUANTITY_EXPONENT_MAX = INT32_MAX
};

extern const uint64_t quantity_powers[QUANTITY_POWER_MAX + 1];

/* The digits of a magnitude, wherever they are; they live as long as both. */
typedef struct quantity_view {
	const char *digits;
	size_t count; /* 0 for zero */
	int64_t exponent;
	int64_t top; /* the magnitude is in [10^(top-1), 10^top) */
	char room[QUANTITY_INLINE + 2];
} quantity_view;

void quantity_view_open(quantity_view *view, const limen_quantity *quantity);

/* Writes 'value' in decimal before 'end' and returns the first digit; none for 0. */
char *quantity_write_wide(char *end, wide value);

/* Returns 10^power for up to QUANTITY_INLINE. */
wide quantity_power(unsigned power);

static inline wide
quantity_magnitude(const limen_quantity *quantity)
{
	return (wide)quantity->high << 64 | quantity->low;
}

static inline bool
quantity_is_zero(const limen_quantity *quantity)
{
	return (quantity->low | quantity->high) == 0 && quantity->digits == NULL;
}

/* Does the magnitude fit 64 bits? */
static inline bool
quantity_is_short(const limen_quantity *quantity)
{
	return quantity->high == 0 && quantity->digits == NULL;
}

static inline int
quantity_compare_wide(wide a, wide b)
{
	return (a > b) - (a < b);
}

/* As quantity_set_wide(), for a magnitude whose last decimal digit is not zero. */
static inline void
quantity_set_stripped(limen_quantity *quantity, uint64_t high, uint64_t low, int64_t exponent)
{
	bool zero = (high | low) == 0;

	quantity->high = high;
	quantity->low = low;
	quantity->digits = NULL;
	quantity->count = 0;
	quantity->exponent = zero ? 0 : exponent;
	quantity->negative = quantity->negative && !zero;
	quantity->written = NULL;
	quantity->written_length = 0;
}

/* As quantity_set_wide(), for a magnitude of 64 bits. */
static inline void
quantity_set_short(limen_quantity *quantity, uint64_t value, int64_t exponent)
{
	for (; value % 10 == 0 && value > 0; value /= 10)
		exponent++;
	quantity_set_stripped(quantity, 0, value, exponent);
}

/*
 * Sets the magnitude of a quantity that owns nothing, the sign of zero too, and
 * drops a remembered text.  'value' has at most QUANTITY_INLINE digits.
 */
void quantity_set_wide(limen_quantity *quantity, wide value, int64_t exponent);

/*
 * As quantity_set_wide(), for up to QUANTITY_DIGITS_MAX digits.  A quantity that already owns
 * digits must own at least as many as 'number' has.  Returns LIMEN_OK, or LIMEN_ENOMEM, and then
 * changes nothing.
 */
int quantity_set_digits(limen_quantity *quantity, decimal number);

/* Compares magnitudes alone. */
int quantity_compare_magnitude(const limen_quantity *a, const limen_quantity *b);

#endif
