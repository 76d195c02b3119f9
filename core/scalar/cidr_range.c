/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr_range.c - converts networks to ranges of 128-bit numbers, sorts and merges ranges, and
 * subtracts one sorted array from another.
 */
#include "cidr_range.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

cidr_number
cidr_number_of(const limen_address *address)
{
	uint64_t halves[2];
	uint32_t whole;

	if (address->family == 4) {
		memcpy(&whole, address->bytes, sizeof(whole));
		return (cidr_number){ .low = be32toh(whole) };
	}
	memcpy(halves, address->bytes, sizeof(halves));
	return (cidr_number){ .high = be64toh(halves[0]), .low = be64toh(halves[1]) };
}

/* The lowest 'bits' bits set; at most 128. */
static cidr_number
mask_of(unsigned bits)
{
	return (cidr_number){
		.high = bits <= 64 ? 0 : UINT64_MAX >> (128 - bits),
		.low = bits == 0 ? 0 : UINT64_MAX >> (bits < 64 ? 64 - bits : 0),
	};
}

cidr_range
cidr_range_of(const limen_network *network)
{
	unsigned bits = network->address.family == 4 ? 32 : 128;
	cidr_number host = mask_of(network->prefix < bits ? bits - network->prefix : 0);
	cidr_number address = cidr_number_of(&network->address);

	return (cidr_range){
		.first = { .high = address.high & ~host.high, .low = address.low & ~host.low },
		.last = { .high = address.high | host.high, .low = address.low | host.low },
	};
}

static bool
is_same(cidr_number a, cidr_number b)
{
	return a.high == b.high && a.low == b.low;
}

static cidr_number
after(cidr_number number)
{
	number.low++;
	number.high += number.low == 0;
	return number;
}

static cidr_number
before(cidr_number number)
{
	number.high -= number.low == 0;
	number.low--;
	return number;
}

static int
compare_ranges(const void *left, const void *right)
{
	const cidr_range *a = left;
	const cidr_range *b = right;

	if (is_same(a->first, b->first))
		return 0;
	return cidr_number_at_most(a->first, b->first) ? -1 : 1;
}

size_t
cidr_range_merge(cidr_range *ranges, size_t count)
{
	size_t kept = 0;

	if (count == 0)
		return 0;
	qsort(ranges, count, sizeof(*ranges), compare_ranges);
	for (size_t i = 1; i < count; i++) {
		cidr_range *newest = &ranges[kept];

		if (!cidr_number_at_most(ranges[i].first, newest->last) &&
		    !is_same(ranges[i].first, after(newest->last)))
			ranges[++kept] = ranges[i];
		else if (cidr_number_at_most(newest->last, ranges[i].last))
			newest->last = ranges[i].last;
	}
	return kept + 1;
}

/*
 * Writes the parts of 'range' outside of the holes from '*next' on and moves '*next' to the
 * first hole that may reach into a later range.
 */
static size_t
cut_holes(cidr_range range, const cidr_range *holes, size_t hole_count, size_t *next,
          cidr_range *out)
{
	size_t count = 0;

	for (; *next < hole_count; (*next)++) {
		cidr_range hole = holes[*next];

		if (!cidr_number_at_most(hole.first, range.last))
			break;
		if (!cidr_number_at_most(range.first, hole.last))
			continue;
		if (!cidr_number_at_most(hole.first, range.first))
			out[count++] = (cidr_range){ range.first, before(hole.first) };
		if (cidr_number_at_most(range.last, hole.last))
			return count;
		range.first = after(hole.last);
	}
	out[count++] = range;
	return count;
}

size_t
cidr_range_subtract(const cidr_range *ranges, size_t count, const cidr_range *holes,
                    size_t hole_count, cidr_range *out)
{
	size_t next = 0;
	size_t written = 0;

	for (size_t i = 0; i < count; i++)
		written += cut_holes(ranges[i], holes, hole_count, &next, out + written);
	return written;
}
