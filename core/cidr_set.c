/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set is, for each family, a sorted array of disjoint ranges.  Many ranges get an index as well:
 * the span from the lowest to the highest address is cut into at most 65536 equal slots, and the
 * index says where the ranges of each slot begin, so that a search is left with the few ranges of
 * one slot.
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

struct index {
	uint32_t *starts; /* SLOTS + 1 range numbers, or NULL */
	unsigned shift;   /* of the distance from the lowest address */
};

struct range4 {
	uint32_t first;
	uint32_t last;
};

struct table4 {
	struct range4 *ranges;
	size_t count;
	struct index index;
};

struct table6 {
	cidr_range *ranges;
	size_t count;
	struct index index;
};

struct limen_cidr_set {
	struct table4 four;
	struct table6 six;
};

static unsigned
count_bits(cidr_number number)
{
	if (number.high != 0)
		return 128 - (unsigned)__builtin_clzll(number.high);
	return number.low == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number.low);
}

/* Returns false when memory is short. */
static bool
build_index(struct index *index, const cidr_range *ranges, size_t count)
{
	unsigned bits;
	size_t slot = 0;

	if (count <= INDEX_THRESHOLD)
		return true;
	index->starts = malloc((SLOTS + 1) * sizeof(*index->starts));
	if (index->starts == NULL)
		return false;
	bits = count_bits(cidr_number_difference(ranges[count - 1].last, ranges[0].first));
	index->shift = bits > SLOT_BITS ? bits - SLOT_BITS : 0;
	for (size_t i = 0; i < count; i++) {
		cidr_number distance = cidr_number_difference(ranges[i].first, ranges[0].first);

		for (; slot <= cidr_number_shift(distance, index->shift); slot++)
			index->starts[slot] = (uint32_t)i;
	}
	for (; slot <= SLOTS; slot++)
		index->starts[slot] = (uint32_t)count;
	return true;
}

static bool
build_table4(struct table4 *table, const cidr_range *ranges, size_t count)
{
	if (count == 0)
		return true;
	table->ranges = malloc(count * sizeof(*table->ranges));
	if (table->ranges == NULL)
		return false;
	table->count = count;
	for (size_t i = 0; i < count; i++) {
		table->ranges[i].first = (uint32_t)ranges[i].first.low;
		table->ranges[i].last = (uint32_t)ranges[i].last.low;
	}
	return build_index(&table->index, ranges, count);
}

static bool
build_table6(struct table6 *table, const cidr_range *ranges, size_t count)
{
	if (count == 0)
		return true;
	table->ranges = malloc(count * sizeof(*table->ranges));
	if (table->ranges == NULL)
		return false;
	table->count = count;
	memcpy(table->ranges, ranges, count * sizeof(*ranges));
	return build_index(&table->index, ranges, count);
}

/* Writes the merged ranges of one family to 'out' and returns how many. */
static size_t
collect_ranges(const limen_network *networks, size_t count, uint8_t family, cidr_range *out)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (networks[i].address.family == family)
			out[found++] = cidr_range_of(&networks[i]);
	}
	return cidr_range_merge(out, found);
}

/* 'scratch' has room for twice both counts. */
static bool
build_family(limen_cidr_set *set, uint8_t family, const limen_network *networks, size_t count,
             const limen_network *excluded, size_t excluded_count, cidr_range *scratch)
{
	cidr_range *holes = scratch + count;
	cidr_range *rest = holes + excluded_count;
	size_t range_count = collect_ranges(networks, count, family, scratch);
	size_t hole_count = collect_ranges(excluded, excluded_count, family, holes);
	size_t rest_count = cidr_range_subtract(scratch, range_count, holes, hole_count, rest);

	if (family == 4)
		return build_table4(&set->four, rest, rest_count);
	return build_table6(&set->six, rest, rest_count);
}

limen_cidr_set *
limen_cidr_set_new(const limen_network *networks, size_t count, const limen_network *excluded,
                   size_t excluded_count)
{
	limen_cidr_set *set;
	cidr_range *scratch;
	bool built;

	/* An index holds range numbers of 32 bits. */
	if (count > COUNT_MAX || excluded_count > COUNT_MAX)
		return NULL;
	set = calloc(1, sizeof(*set));
	scratch = calloc((count + excluded_count) * 2 + 1, sizeof(*scratch));
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
	free(set);
}

/* How many of the ranges begin at or below 'key'. */
static size_t
count_begun4(const struct range4 *ranges, size_t count, uint32_t key)
{
	const struct range4 *base = ranges;

	if (count == 0)
		return 0;
	while (count > 1) {
		size_t half = count / 2;

		base += (base[half].first <= key) * half;
		count -= half;
	}
	return (size_t)(base - ranges) + (base->first <= key);
}

static size_t
count_begun6(const cidr_range *ranges, size_t count, cidr_number key)
{
	const cidr_range *base = ranges;

	if (count == 0)
		return 0;
	while (count > 1) {
		size_t half = count / 2;

		base += cidr_number_at_most(base[half].first, key) * half;
		count -= half;
	}
	return (size_t)(base - ranges) + cidr_number_at_most(base->first, key);
}

/* The last range that begins at or below 'key', or NULL. */
static const struct range4 *
find4(const struct table4 *table, uint32_t key)
{
	const struct range4 *ranges = table->ranges;
	size_t start = 0;
	size_t count = table->count;

	if (count == 0 || key < ranges[0].first)
		return NULL;
	if (key > ranges[count - 1].last)
		return &ranges[count - 1];
	if (table->index.starts != NULL) {
		const uint32_t *slot =
			table->index.starts + ((key - ranges[0].first) >> table->index.shift);

		start = slot[0];
		count = slot[1] - slot[0];
	}
	start += count_begun4(ranges + start, count, key);
	return &ranges[start - 1];
}

static const cidr_range *
find6(const struct table6 *table, cidr_number key)
{
	const cidr_range *ranges = table->ranges;
	size_t start = 0;
	size_t count = table->count;

	if (count == 0 || !cidr_number_at_most(ranges[0].first, key))
		return NULL;
	if (!cidr_number_at_most(key, ranges[count - 1].last))
		return &ranges[count - 1];
	if (table->index.starts != NULL) {
		cidr_number distance = cidr_number_difference(key, ranges[0].first);
		const uint32_t *slot =
			table->index.starts + cidr_number_shift(distance, table->index.shift);

		start = slot[0];
		count = slot[1] - slot[0];
	}
	start += count_begun6(ranges + start, count, key);
	return &ranges[start - 1];
}

/* The last range that begins at or below 'high' is the only one that can reach 'low'. */
static bool
overlaps4(const struct table4 *table, uint32_t low, uint32_t high)
{
	const struct range4 *found = find4(table, high);

	return found != NULL && low <= found->last;
}

static bool
overlaps6(const struct table6 *table, cidr_number low, cidr_number high)
{
	const cidr_range *found = find6(table, high);

	return found != NULL && cidr_number_at_most(low, found->last);
}

bool
limen_cidr_set_contains(const limen_cidr_set *set, const limen_address *address)
{
	cidr_number number = cidr_number_of(address);

	if (address->family == 4)
		return overlaps4(&set->four, (uint32_t)number.low, (uint32_t)number.low);
	return address->family == 6 && overlaps6(&set->six, number, number);
}

bool
limen_cidr_set_overlaps(const limen_cidr_set *set, const limen_network *network)
{
	cidr_range range = cidr_range_of(network);

	if (network->address.family == 4)
		return overlaps4(&set->four, (uint32_t)range.first.low, (uint32_t)range.last.low);
	return network->address.family == 6 && overlaps6(&set->six, range.first, range.last);
}

/* Ranges do not touch, so one of them has to hold all. */
bool
limen_cidr_set_covers(const limen_cidr_set *set, const limen_network *network)
{
	cidr_range range = cidr_range_of(network);
	const struct range4 *four;
	const cidr_range *six;

	if (network->address.family == 4) {
		four = find4(&set->four, (uint32_t)range.first.low);
		return four != NULL && (uint32_t)range.last.low <= four->last;
	}
	six = network->address.family == 6 ? find6(&set->six, range.first) : NULL;
	return six != NULL && cidr_number_at_most(range.last, six->last);
}

bool
limen_cidr_set_is_empty(const limen_cidr_set *set)
{
	return set->four.count == 0 && set->six.count == 0;
}
