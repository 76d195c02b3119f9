/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr_range.h - address ranges of 128 bits: what core/scalar/cidr_set.c sorts,
 * merges and subtracts before it packs a set.  An IPv4 address is a number
 * below 2^32; the two families are never in one array.
 */
#ifndef LIMEN_CORE_SCALAR_CIDR_RANGE_H
#define LIMEN_CORE_SCALAR_CIDR_RANGE_H

#include <limen/cidr.h>

#include "base/wide.h"

/* Both ends belong to the range. */
typedef struct cidr_range {
	wide first;
	wide last;
} cidr_range;

wide cidr_number_of(const limen_address *address);
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
