/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limbs.h - whole numbers in base 10^9, least significant limb first, for the
 * products and quotients of quantities.  Counts may include zero limbs at the
 * top.  Memory is the caller's.
 */
#ifndef LIMEN_CORE_SCALAR_LIMBS_H
#define LIMEN_CORE_SCALAR_LIMBS_H

#include <limen/types.h>

enum {
	LIMBS_BASE = 1000000000,
	LIMBS_DIGITS = 9 /* of decimal digits in a limb */
};

/* Returns how many limbs 'digits' digits fill. */
size_t limbs_count(size_t digits);

/* Reads 'count' ASCII digits followed by 'zeros' zeros into limbs_count(count + zeros) limbs. */
void limbs_read(uint32_t *out, const char *digits, size_t count, size_t zeros);

int limbs_compare(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count);

/* Stores a * b in 'a_count' + 'b_count' limbs at 'out'; takes a_count * b_count steps. */
void limbs_multiply(uint32_t *out, const uint32_t *a, size_t a_count, const uint32_t *b,
                    size_t b_count);

/*
 * Divides 'a' by 'b' and stores 'a_count' - 'b_count' limbs in 'quotient'.
 * 'a_count' is the larger count; the top limb of 'a' must be zero, that of 'b'
 * must not.  Returns how twice the remainder compares to the divisor, for
 * rounding.  Destroys 'a' and 'b'.  Takes b_count steps a limb of the quotient.
 */
int limbs_divide(uint32_t *quotient, uint32_t *a, size_t a_count, uint32_t *b, size_t b_count);

/* Adds 1; 'count' limbs must suffice. */
void limbs_increment(uint32_t *limbs, size_t count);

#endif
