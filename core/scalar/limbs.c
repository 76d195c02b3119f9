/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limbs.c - compares, multiplies and divides whole numbers in base 10^9.  Division is algorithm
 * D of Knuth, The Art of Computer Programming 4.3.1.
 */
#include "limbs.h"

__extension__ typedef unsigned __int128 wide;

size_t
limbs_count(size_t digits)
{
	return digits / LIMBS_DIGITS + (digits % LIMBS_DIGITS != 0);
}

void
limbs_read(uint32_t *out, const char *digits, size_t count, size_t zeros)
{
	size_t places = count + zeros;

	for (size_t limb = limbs_count(places); limb > 0; limb--) {
		size_t stop = (limb - 1) * LIMBS_DIGITS;
		uint32_t value = 0;

		for (; places > stop; places--) {
			value *= 10;
			if (places > zeros)
				value += (uint32_t)(*digits++ - '0');
		}
		out[limb - 1] = value;
	}
}

static size_t
trim(const uint32_t *limbs, size_t count)
{
	while (count > 0 && limbs[count - 1] == 0)
		count--;
	return count;
}

int
limbs_compare(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	a_count = trim(a, a_count);
	b_count = trim(b, b_count);
	if (a_count != b_count)
		return a_count < b_count ? -1 : 1;
	for (size_t i = a_count; i > 0; i--) {
		if (a[i - 1] != b[i - 1])
			return a[i - 1] < b[i - 1] ? -1 : 1;
	}
	return 0;
}

/* Column by column, since that takes one division a column and not one a product. */
void
limbs_multiply(uint32_t *out, const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	wide sum = 0;

	for (size_t column = 0; column < a_count + b_count; column++) {
		size_t first = column < b_count ? 0 : column - b_count + 1;
		size_t end = column < a_count ? column + 1 : a_count;

		for (size_t i = first; i < end; i++)
			sum += (uint64_t)a[i] * b[column - i];
		out[column] = (uint32_t)(sum % LIMBS_BASE);
		sum /= LIMBS_BASE;
	}
}

static void
scale(uint32_t *limbs, size_t count, uint32_t factor)
{
	uint64_t carry = 0;

	for (size_t i = 0; i < count; i++) {
		carry += (uint64_t)limbs[i] * factor;
		limbs[i] = (uint32_t)(carry % LIMBS_BASE);
		carry /= LIMBS_BASE;
	}
}

/* Subtracts b * factor from the b_count + 1 limbs at 'a'; returns whether that was too much. */
static bool
subtract_product(uint32_t *a, const uint32_t *b, size_t b_count, uint32_t factor)
{
	uint64_t borrow = 0;

	for (size_t i = 0; i <= b_count; i++) {
		uint64_t take = borrow + (i < b_count ? (uint64_t)b[i] * factor : 0);
		uint32_t low = (uint32_t)(take % LIMBS_BASE);

		borrow = take / LIMBS_BASE + (a[i] < low);
		a[i] += (a[i] < low ? LIMBS_BASE : 0) - low;
	}
	return borrow != 0;
}

static void
add_back(uint32_t *a, const uint32_t *b, size_t b_count)
{
	uint32_t carry = 0;

	for (size_t i = 0; i <= b_count; i++) {
		uint32_t sum = a[i] + carry + (i < b_count ? b[i] : 0);

		carry = sum >= LIMBS_BASE;
		a[i] = sum - (carry ? LIMBS_BASE : 0);
	}
}

/*
 * Knuth, The Art of Computer Programming 4.3.1, algorithm D: with the top limb
 * of the divisor at half the base or more, the first two limbs of the dividend
 * over the first of the divisor are at most two too large.
 */
static uint32_t
divide_step(uint32_t *a, const uint32_t *b, size_t b_count)
{
	uint64_t top = (uint64_t)a[b_count] * LIMBS_BASE + a[b_count - 1];
	uint64_t guess = top / b[b_count - 1];

	if (guess >= LIMBS_BASE)
		guess = LIMBS_BASE - 1;
	if (!subtract_product(a, b, b_count, (uint32_t)guess))
		return (uint32_t)guess;
	do {
		add_back(a, b, b_count);
		guess--;
	} while (a[b_count] != 0);
	return (uint32_t)guess;
}

int
limbs_divide(uint32_t *quotient, uint32_t *a, size_t a_count, uint32_t *b, size_t b_count)
{
	uint32_t factor = LIMBS_BASE / (b[b_count - 1] + 1);

	scale(a, a_count, factor);
	scale(b, b_count, factor);
	for (size_t i = a_count - b_count; i > 0; i--)
		quotient[i - 1] = divide_step(a + i - 1, b, b_count);
	scale(a, b_count + 1, 2);
	return limbs_compare(a, b_count + 1, b, b_count);
}

void
limbs_increment(uint32_t *limbs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (limbs[i] < LIMBS_BASE - 1) {
			limbs[i]++;
			return;
		}
		limbs[i] = 0;
	}
}
