/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_product.c - compares a quantity with the product of two others.  The product of
 * small factors is computed in 128 bits.  For others the positions of the first digits decide
 * if they can, else a product in limbs, which is refused if it takes more than 2^23 steps.
 */
#include <limen/quantity.h>

#include <stdlib.h>

#include "limbs.h"
#include "quantity.h"

/* A product of more steps is refused: about ten milliseconds. */
static const size_t most_steps = (size_t)1 << 23;

/* Compares where nothing is longer than 64 bits and the product, aligned, fits 128. */
static bool
compare_short(const limen_quantity *a, const limen_quantity *b, const limen_quantity *c,
              int *order)
{
	int64_t gap = b->exponent + c->exponent - a->exponent;
	quantity_wide product;

	if (!quantity_is_short(a) || !quantity_is_short(b) || !quantity_is_short(c))
		return false;
	product = (quantity_wide)b->low * c->low;
	if (gap > QUANTITY_POWER_MAX || gap < -QUANTITY_POWER_MAX)
		return false;
	if (gap > 0) {
		if (product > UINT64_MAX)
			return false;
		*order = quantity_compare_wide(a->low, product * quantity_powers[gap]);
		return true;
	}
	*order = quantity_compare_wide((quantity_wide)a->low * quantity_powers[-gap], product);
	return true;
}

/*
 * Compares the digits of 'a' with the product of those of 'b' and 'c', zeros
 * appended to 'a' or 'b' so that both end at the same place.
 */
static int
compare_limbs(const quantity_view *a, const quantity_view *b, const quantity_view *c, int *order)
{
	int64_t gap = a->exponent - b->exponent - c->exponent;
	size_t a_zeros = gap > 0 ? (size_t)gap : 0;
	size_t b_zeros = gap < 0 ? (size_t)-gap : 0;
	size_t a_count = limbs_count(a->count + a_zeros);
	size_t b_count = limbs_count(b->count + b_zeros);
	size_t c_count = limbs_count(c->count);
	uint32_t *limbs;
	uint32_t *product;

	if (b_count > most_steps / c_count)
		return LIMEN_ERANGE;
	limbs = calloc(a_count + 2 * (b_count + c_count), sizeof *limbs);
	if (limbs == NULL)
		return LIMEN_ENOMEM;
	product = limbs + a_count + b_count + c_count;
	limbs_read(limbs, a->digits, a->count, a_zeros);
	limbs_read(limbs + a_count, b->digits, b->count, b_zeros);
	limbs_read(limbs + a_count + b_count, c->digits, c->count, 0);
	limbs_multiply(product, limbs + a_count, b_count, limbs + a_count + b_count, c_count);
	*order = limbs_compare(limbs, a_count, product, b_count + c_count);
	free(limbs);
	return LIMEN_OK;
}

int
limen_quantity_compare_product(const limen_quantity *a, const limen_quantity *b,
                               const limen_quantity *c, int *order)
{
	quantity_view left;
	quantity_view right[2];
	int64_t top;

	if (quantity_is_zero(b) || quantity_is_zero(c)) {
		*order = !quantity_is_zero(a);
		return LIMEN_OK;
	}
	if (quantity_is_zero(a)) {
		*order = -1;
		return LIMEN_OK;
	}
	if (compare_short(a, b, c, order))
		return LIMEN_OK;
	quantity_view_open(&left, a);
	quantity_view_open(&right[0], b);
	quantity_view_open(&right[1], c);
	/* A product has as many digits as its factors together, or one less. */
	top = right[0].top + right[1].top;
	if (left.top > top || left.top < top - 1) {
		*order = left.top > top ? 1 : -1;
		return LIMEN_OK;
	}
	return compare_limbs(&left, &right[0], &right[1], order);
}
