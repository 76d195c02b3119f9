/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set is, for each width of numbers, a sorted array of disjoint ranges.  Many ranges get an
 * index as well: the span from the lowest to the highest address is cut into at most 65536 equal
 * slots, and the index says where the ranges of each slot begin, so that a search is left with
 * the few ranges of one slot.
 *
 * Networks of IPv6 are hardly ever longer than 64 bits, and their ranges are then told by the
 * upper halves of their ends: half the memory, and half the cache lines of a search.
 */
#include <limen/cidr.h>

#include "cidr_range.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 16
#define SLOTS ((size_t)1 << SLOT_BITS)

/* Below this the search is as fast without an index. */
#define INDEX_THRESHOLD ((size_t)256)

#define COUNT_MAX ((size_t)1 << 29)

typedef struct cidr_index {
	uint32_t *starts; /* SLOTS + 1 range numbers, or NULL */
	unsigned shift;   /* of the distance from the lowest address */
} cidr_index;

/* Can the upper halves of its ends tell this range of IPv6? */
static bool
is_whole(const cidr_range *range)
{
	return (uint64_t)range->first == 0 && (uint64_t)range->last == UINT64_MAX;
}

#define CIDR_TABLE table32
#define CIDR_KEY uint32_t
#define CIDR_TAKES(range) ((void)(range), true)
#define CIDR_OF(number) (uint32_t)(number)
#include "cidr_table.h"

#define CIDR_TABLE table64
#define CIDR_KEY uint64_t
#define CIDR_TAKES(range) is_whole(range)
#define CIDR_OF(number) (uint64_t)((number) >> 64)
#include "cidr_table.h"

#define CIDR_TABLE table128
#define CIDR_KEY wide
#define CIDR_TAKES(range) !is_whole(range)
#define CIDR_OF(number) (number)
#include "cidr_table.h"

/* No range of one array touches a range of another, so each can be asked alone. */
struct limen_cidr_set {
	table32 four;
	table64 six;       /* ranges of whole networks of 64 bits, by the upper halves */
	table128 six_fine; /* the other ranges of IPv6 */
};

/* Writes the merged ranges of one family to 'out' and returns how many. */
static size_t
collect_ranges(const limen_network *networks, size_t count, uint8_t family, cidr_range *out)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (networks[i].address.family == family)
			out[found++] = cidr_range_of(&networks[i]);
	return cidr_range_merge(out, found);
}

static bool
build_family(limen_cidr_set *set, uint8_t family, const limen_network *networks, size_t count,
             const limen_network *excluded, size_t excluded_count, cidr_range *scratch)
{
	cidr_range *ranges = scratch;
	cidr_range *holes = scratch + count;
	size_t range_count = collect_ranges(networks, count, family, ranges);
	size_t hole_count = collect_ranges(excluded, excluded_count, family, holes);

	if (hole_count > 0) {
		ranges = holes + excluded_count;
		range_count = cidr_range_subtract(scratch, range_count, holes, hole_count, ranges);
	}
	if (family == 4)
		return table32_build(&set->four, ranges, range_count);
	return table64_build(&set->six, ranges, range_count) &&
	       table128_build(&set->six_fine, ranges, range_count);
}

limen_cidr_set *
limen_cidr_set_new(const limen_network *networks, size_t count, const limen_network *excluded,
                   size_t excluded_count)
{
	limen_cidr_set *set;
	cidr_range *scratch;
	bool built;

	if ((networks == NULL && count > 0) || (excluded == NULL && excluded_count > 0))
		return NULL;
	/* An index holds range numbers of 32 bits. */
	if (count > COUNT_MAX || excluded_count > COUNT_MAX)
		return NULL;
	set = calloc(1, sizeof(*set));
	scratch = calloc((excluded_count == 0 ? count : 2 * (count + excluded_count)) + 1,
	                 sizeof(*scratch));
	built = set != NULL && scratch != NULL &&
	        build_family(set, 4, networks, count, excluded, excluded_count, scratch) &&
	        build_family(set, 6, networks, count, excluded, excluded_count, scratch);
	free(scratch);
	if (built)
		return set;
	limen_cidr_set_free(set);
	return NULL;
}

void
limen_cidr_set_free(limen_cidr_set *set)
{
	if (set == NULL)
		return;
	free(set->four.ranges);
	free(set->four.index.starts);
	free(set->six.ranges);
	free(set->six.index.starts);
	free(set->six_fine.ranges);
	free(set->six_fine.index.starts);
	free(set);
}

/* Both are asked: whether the first holds an address cannot be predicted, and costs more then. */
static bool
overlaps6(const limen_cidr_set *set, wide first, wide last)
{
	unsigned whole = table64_overlaps(&set->six, (uint64_t)(first >> 64),
	                                  (uint64_t)(last >> 64));
	unsigned fine = table128_overlaps(&set->six_fine, first, last);

	return (whole | fine) != 0;
}

static bool
covers6(const limen_cidr_set *set, wide first, wide last)
{
	unsigned whole = table64_covers(&set->six, (uint64_t)(first >> 64), (uint64_t)(last >> 64));
	unsigned fine = table128_covers(&set->six_fine, first, last);

	return (whole | fine) != 0;
}

bool
limen_cidr_set_contains(const limen_cidr_set *set, const limen_address *address)
{
	wide number;

	if (set == NULL || address == NULL)
		return false;
	number = cidr_number_of(address);
	if (address->family == 4)
		return table32_overlaps(&set->four, (uint32_t)number, (uint32_t)number);
	return address->family == 6 && overlaps6(set, number, number);
}

bool
limen_cidr_set_overlaps(const limen_cidr_set *set, const limen_network *network)
{
	cidr_range range;

	if (set == NULL || network == NULL)
		return false;
	range = cidr_range_of(network);
	if (network->address.family == 4)
		return table32_overlaps(&set->four, (uint32_t)range.first, (uint32_t)range.last);
	return network->address.family == 6 && overlaps6(set, range.first, range.last);
}

bool
limen_cidr_set_covers(const limen_cidr_set *set, const limen_network *network)
{
	cidr_range range;

	if (set == NULL || network == NULL)
		return false;
	range = cidr_range_of(network);
	if (network->address.family == 4)
		return table32_covers(&set->four, (uint32_t)range.first, (uint32_t)range.last);
	return network->address.family == 6 && covers6(set, range.first, range.last);
}

bool
limen_cidr_set_is_empty(const limen_cidr_set *set)
{
	return set == NULL ||
	       (set->four.count == 0 && set->six.count == 0 && set->six_fine.count == 0);
}
