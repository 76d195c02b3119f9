/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_ratio.c - prints the quotient of two quantities with six decimals, by long division.
 * Very large and very small quotients are printed with an exponent.
 */
#include <limen/quantity.h>

#include <stdio.h>
#include <string.h>

#include "quantity.h"

enum {
	DECIMALS = 6,
	PLAIN_MAX = 40,                           /* powers of ten that are written without an exponent */
	QUOTIENT_DIGITS = PLAIN_MAX + DECIMALS + 2 /* one is for the carry of rounding */
};

/* A quotient, rounded, ends with the last digit of 'text'. */
struct quotient {
	char text[QUOTIENT_DIGITS];
	size_t start; /* of the first digit that is not 0 */
};

/* The state of a long division: the remainder of the digits of 'a' used so far. */
struct division {
	quantity_view a;
	quantity_view b;
	char divisor[QUANTITY_DIGITS_MAX + 1]; /* the digits of 'b' behind a 0 */
	char rest[QUANTITY_DIGITS_MAX + 1];    /* below the divisor, of as many digits */
};

/* Returns the digit of the quotient that counts 10^place, after all digits ahead of it. */
static int
next_digit(struct division *division, int64_t place)
{
	const quantity_view *a = &division->a;
	const quantity_view *b = &division->b;
	int64_t i = a->top - 1 - place - b->exponent;
	int digit = 0;

	memmove(division->rest, division->rest + 1, b->count);
	division->rest[b->count] = i >= 0 && i < (int64_t)a->count ? a->digits[i] : '0';
	for (; memcmp(division->rest, division->divisor, b->count + 1) >= 0; digit++)
		decimal_subtract(division->rest + b->count + 1, b->digits, b->count);
	return digit;
}

/* Is there a remainder, or a digit of 'a' behind the one used for 'place' of the quotient? */
static bool
has_rest(const struct division *division, int64_t place)
{
	if (division->a.exponent < place + division->b.exponent)
		return true;
	for (size_t i = 0; i <= division->b.count; i++)
		if (division->rest[i] != '0')
			return true;
	return false;
}

/* Computes the digits from 10^first, which has none ahead of it, to 10^last, rounded half to even. */
static void
divide(struct division *division, int64_t first, int64_t last, struct quotient *out)
{
	char *end = out->text + sizeof out->text;
	size_t count = division->b.count;
	int half;

	memset(division->rest, '0', sizeof division->rest);
	division->divisor[0] = '0';
	memcpy(division->divisor + 1, division->b.digits, count);
	memset(out->text, '0', sizeof out->text);
	for (int64_t place = first + (int64_t)count; place >= last; place--) {
		int digit = next_digit(division, place);

		if (place <= first)
			end[last - 1 - place] = (char)('0' + digit);
	}
	half = next_digit(division, last - 1);
	if (half > 5 || (half == 5 && (has_rest(division, last - 1) || end[-1] % 2 != 0)))
		decimal_add(end, "1", 1);
	out->start = 0;
	while (out->start < sizeof out->text && out->text[out->start] == '0')
		out->start++;
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
	bool negative;
	struct division division;
	struct quotient quotient;
	int64_t power;

	if (a == NULL || b == NULL || out == NULL || quantity_is_zero(b))
		return LIMEN_EINVAL;
	negative = a->negative != b->negative;
	if (quantity_is_zero(a)) {
		snprintf(out, LIMEN_QUANTITY_RATIO_MAX, "0.000000");
		return LIMEN_OK;
	}
	quantity_view_open(&division.a, a);
	quantity_view_open(&division.b, b);
	/* The quotient is in [10^power, 10^(power+1)). */
	power = division.a.top - division.b.top -
	        (decimal_compare(division.a.digits, division.a.count, division.b.digits,
	                         division.b.count) < 0);
	if (power >= -PLAIN_MAX && power <= PLAIN_MAX) {
		divide(&division, power > 0 ? power : 0, -DECIMALS, &quotient);
		print_plain(&quotient, negative, out);
	} else {
		divide(&division, power, power - DECIMALS, &quotient);
		print_power(&quotient, negative, power, out);
	}
	return LIMEN_OK;
}
