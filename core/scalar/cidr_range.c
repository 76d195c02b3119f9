/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr_range.c - converts networks to ranges of 128-bit numbers, sorts and merges ranges, and
 * subtracts one sorted array from another.
 */
#include "cidr_range.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

wide
cidr_number_of(const limen_address *address)
{
	uint64_t halves[2];
	uint32_t whole;

	if (address->family == 4) {
		memcpy(&whole, address->bytes, sizeof(whole));
		return be32toh(whole);
	}
	memcpy(halves, address->bytes, sizeof(halves));
	return (wide)be64toh(halves[0]) << 64 | be64toh(halves[1]);
}

cidr_range
cidr_range_of(const limen_network *network)
{
	unsigned bits = network->address.family == 4 ? 32 : 128;
	wide address = cidr_number_of(&network->address);
	wide host = 0;

	if (network->prefix < bits)
		host = ~(wide)0 >> (128 - (bits - network->prefix));
	return (cidr_range){ .first = address & ~host, .last = address | host };
}

static int
compare_ranges(const void *left, const void *right)
{
	const cidr_range *a = left;
	const cidr_range *b = right;

	return (a->first > b->first) - (a->first < b->first);
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

		if (ranges[i].first > newest->last && ranges[i].first - newest->last > 1)
			ranges[++kept] = ranges[i];
		else if (newest->last < ranges[i].last)
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

		if (hole.first > range.last)
			break;
		if (hole.last < range.first)
			continue;
		if (hole.first > range.first)
			out[count++] = (cidr_range){ range.first, hole.first - 1 };
		if (hole.last >= range.last)
			return count;
		range.first = hole.last + 1;
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
