/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decimal.c - multiplies, rounds, adds, subtracts and compares decimal digit strings in place, in
 * memory of the caller.
 */
#include "decimal.h"

#include <string.h>

void
decimal_strip(decimal *number)
{
	while (number->count > 0 && *number->digits == '0') {
		number->digits++;
		number->count--;
	}
	while (number->count > 0 && number->digits[number->count - 1] == '0') {
		number->count--;
		number->exponent++;
	}
}

/* Each place of the product in turn, the last one first. */
void
decimal_multiply(char *out, const char *a, size_t a_count, const char *b, size_t b_count)
{
	unsigned sum = 0;

	for (size_t place = a_count + b_count; place-- > 0;) {
		for (size_t i = place > b_count ? place - b_count : 0; i < a_count && i < place; i++)
			sum += (unsigned)(a[i] - '0') * (unsigned)(b[place - 1 - i] - '0');
		out[place] = (char)('0' + sum % 10);
		sum /= 10;
	}
}

static void
increment(decimal *number)
{
	size_t i = number->count;

	while (i > 0 && number->digits[i - 1] == '9')
		number->digits[--i] = '0';
	if (i > 0) {
		number->digits[i - 1]++;
		return;
	}
	/* All were nines: a one and zeros, of which the exponent takes care. */
	number->digits[0] = '1';
	number->exponent += (int64_t)number->count;
	number->count = 1;
}

void
decimal_round_up(decimal *number, int64_t scale)
{
	size_t kept = 0;

	if (number->count == 0 || number->exponent >= scale)
		return;
	if ((int64_t)number->count > scale - number->exponent)
		kept = number->count - (size_t)(scale - number->exponent);
	if (kept == 0) {
		number->digits[0] = '1';
		number->count = 1;
		number->exponent = scale;
		return;
	}
	for (size_t i = kept; i < number->count; i++) {
		if (number->digits[i] != '0') {
			number->count = kept;
			number->exponent = scale;
			increment(number);
			return;
		}
	}
	number->count = kept;
	number->exponent = scale;
}

void
decimal_add(char *end, const char *digits, size_t count)
{
	int carry = 0;

	for (; count > 0 || carry > 0; count -= count > 0) {
		int sum = *--end - '0' + carry;

		if (count > 0)
			sum += digits[count - 1] - '0';
		carry = sum >= 10;
		*end = (char)('0' + sum - 10 * carry);
	}
}

void
decimal_subtract(char *end, const char *digits, size_t count)
{
	int borrow = 0;

	for (; count > 0 || borrow > 0; count -= count > 0) {
		int difference = *--end - '0' - borrow;

		if (count > 0)
			difference -= digits[count - 1] - '0';
		borrow = difference < 0;
		*end = (char)('0' + difference + 10 * borrow);
	}
}

static bool
has_nonzero(const char *digits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (digits[i] != '0')
			return true;
	return false;
}

int
decimal_compare(const char *a, size_t a_count, const char *b, size_t b_count)
{
	size_t common = a_count < b_count ? a_count : b_count;
	int order = memcmp(a, b, common);

	if (order != 0)
		return order < 0 ? -1 : 1;
	if (has_nonzero(a + common, a_count - common))
		return 1;
	return has_nonzero(b + common, b_count - common) ? -1 : 0;
}
