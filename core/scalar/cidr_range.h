/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr_range.h - address ranges of 128 bits: what core/scalar/cidr_set.c sorts,
 * merges and subtracts before it packs a set.  An IPv4 address is a number
 * below 2^32; the two families are never in one array.  Two halves rather than
 * a 128-bit integer keep this usable on 32-bit machines.
 */
#ifndef LIMEN_CORE_SCALAR_CIDR_RANGE_H
#define LIMEN_CORE_SCALAR_CIDR_RANGE_H

#include <limen/cidr.h>

typedef struct cidr_number {
	uint64_t high;
	uint64_t low;
} cidr_number;

/* Both ends belong to the range. */
typedef struct cidr_range {
	cidr_number first;
	cidr_number last;
} cidr_range;

/* Bitwise operators, so that a search compiles without branches. */
static inline bool
cidr_number_at_most(cidr_number a, cidr_number b)
{
	return (a.high < b.high) | ((a.high == b.high) & (a.low <= b.low));
}

static inline cidr_number
cidr_number_difference(cidr_number a, cidr_number b)
{
	return (cidr_number){ .high = a.high - b.high - (a.low < b.low), .low = a.low - b.low };
}

/* The low 64 bits of 'number' shifted right by less than 128. */
static inline uint64_t
cidr_number_shift(cidr_number number, unsigned shift)
{
	if (shift == 0)
		return number.low;
	if (shift >= 64)
		return number.high >> (shift - 64);
	return number.low >> shift | number.high << (64 - shift);
}

cidr_number cidr_number_of(const limen_address *address);
cidr_range cidr_range_of(const limen_network *network);

/* Sorts 'ranges' and joins those that touch; returns how many remain. */
size_t cidr_range_merge(cidr_range *ranges, size_t count);

/*
 * Writes to 'out' the parts of 'ranges' outside of 'holes', both merged, and
 * returns how many.  'out' has room for count + hole_count and overlaps neither.
 */
size_t cidr_range_subtract(const cidr_range *ranges, size_t count, const cidr_range *holes,
                           size_t hole_count, cidr_range *out);

#endif
