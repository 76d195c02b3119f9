/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_ratio.c - prints the quotient of two quantities with six decimals.  The division is
 * done in limbs; very large and very small quotients are scaled first and printed with an
 * exponent.
 */
#include <limen/quantity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limbs.h"
#include "quantity.h"

enum {
	DECIMALS = 6,
	PLAIN_MAX = 40,    /* powers of ten that are written without an exponent */
	QUOTIENT_LIMBS = 8 /* more than 10^(PLAIN_MAX + DECIMALS + 2) needs */
};

/* A quotient times 10^DECIMALS, rounded, without leading zeros. */
struct quotient {
	char text[QUOTIENT_LIMBS * LIMBS_DIGITS];
	size_t start;
};

/* Returns s for a quotient in [10^s, 10^(s+1)). */
static int64_t
find_power(const quantity_view *a, const quantity_view *b)
{
	bool less = decimal_compare(a->digits, a->count, b->digits, b->count) < 0;

	return a->top - b->top - less;
}

static void
write_limbs(struct quotient *quotient, const uint32_t *limbs, size_t count)
{
	char *end = quotient->text + sizeof quotient->text;

	memset(quotient->text, '0', sizeof quotient->text);
	for (size_t i = 0; i < count && i < QUOTIENT_LIMBS; i++)
		quantity_write_wide(end - i * LIMBS_DIGITS, limbs[i]);
	quotient->start = 0;
	while (quotient->start < sizeof quotient->text && quotient->text[quotient->start] == '0')
		quotient->start++;
}

/*
 * Computes a / b * 10^places, rounded half to even.  The quotient must be below
 * 10^(QUOTIENT_LIMBS * LIMBS_DIGITS).
 */
static int
divide(const quantity_view *a, const quantity_view *b, int64_t places, struct quotient *out)
{
	int64_t shift = a->exponent - b->exponent + places;
	size_t a_zeros = shift > 0 ? (size_t)shift : 0;
	size_t b_zeros = shift < 0 ? (size_t)-shift : 0;
	size_t a_count = limbs_count(a->count + a_zeros);
	size_t b_count = limbs_count(b->count + b_zeros);
	uint32_t *limbs;
	uint32_t *quotient;
	int half;

	a_count = (a_count > b_count ? a_count : b_count) + 1;
	limbs = calloc(2 * a_count + b_count, sizeof *limbs);
	if (limbs == NULL)
		return LIMEN_ENOMEM;
	quotient = limbs + a_count + b_count;
	limbs_read(limbs, a->digits, a->count, a_zeros);
	limbs_read(limbs + a_count, b->digits, b->count, b_zeros);
	half = limbs_divide(quotient, limbs, a_count, limbs + a_count, b_count);
	if (half > 0 || (half == 0 && quotient[0] % 2 != 0))
		limbs_increment(quotient, a_count - b_count);
	write_limbs(out, quotient, a_count - b_count);
	free(limbs);
	return LIMEN_OK;
}

static void
print_plain(const struct quotient *quotient, bool negative, char *out)
{
	size_t point = sizeof quotient->text - DECIMALS;
	size_t start = quotient->start < point ? quotient->start : point - 1;
	bool zero = quotient->start == sizeof quotient->text;

	snprintf(out, LIMEN_QUANTITY_RATIO_MAX, "%s%.*s.%.*s", negative && !zero ? "-" : "",
	         (int)(point - start), quotient->text + start, DECIMALS, quotient->text + point);
}

/* The quotient is in [1, 10], as rounding may have made a 10 of it. */
static void
print_power(const struct quotient *quotient, bool negative, int64_t power, char *out)
{
	const char *digits = quotient->text + quotient->start;

	if (sizeof quotient->text - quotient->start > DECIMALS + 1)
		power++;
	snprintf(out, LIMEN_QUANTITY_RATIO_MAX, "%s%.1s.%.*se%lld", negative ? "-" : "", digits,
	         DECIMALS, digits + 1, (long long)power);
}

int
limen_quantity_print_ratio(const limen_quantity *a, const limen_quantity *b,
                           char out[LIMEN_QUANTITY_RATIO_MAX])
{
	bool negative = a->negative != b->negative;
	quantity_view left;
	quantity_view right;
	struct quotient quotient;
	int64_t power;
	bool plain;
	int result;

	if (quantity_is_zero(b))
		return LIMEN_EINVAL;
	if (quantity_is_zero(a)) {
		snprintf(out, LIMEN_QUANTITY_RATIO_MAX, "0.000000");
		return LIMEN_OK;
	}
	quantity_view_open(&left, a);
	quantity_view_open(&right, b);
	power = find_power(&left, &right);
	plain = power >= -PLAIN_MAX && power <= PLAIN_MAX;
	result = divide(&left, &right, plain ? DECIMALS : DECIMALS - power, &quotient);
	if (result != LIMEN_OK)
		return result;
	if (plain)
		print_plain(&quotient, negative, out);
	else
		print_power(&quotient, negative, power, out);
	return LIMEN_OK;
}
