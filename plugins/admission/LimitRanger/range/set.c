/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set.c - the LimitRanges of a policy in a fixed order, and those of a
 * namespace.  Kubernetes applies them in no particular order.
 */
#include <stdlib.h>
#include <string.h>

#include "range.h"

static int
compare_ranges(const limit_range *a, const limit_range *b)
{
	int order = strcmp(a->namespace, b->namespace);

	return order != 0 ? order : strcmp(a->name, b->name);
}

static int
compare_positions(const limit_range *a, const limit_range *b)
{
	return (a->position > b->position) - (a->position < b->position);
}

static int
compare_by_name(const void *a, const void *b)
{
	int order = compare_ranges(a, b);

	return order != 0 ? order : compare_positions(a, b);
}

/* Compares in the order of application; of equal ones the namespace's own comes first. */
static int
compare_applied(const limit_range *left, const limit_range *right, int by)
{
	int order = 0;

	/* LimitRanges without a creation time come last. */
	if (by == ORDER_CREATION && left->has_time != right->has_time)
		return left->has_time ? -1 : 1;
	if (by == ORDER_CREATION && left->has_time)
		order = (left->created > right->created) - (left->created < right->created);
	if (order == 0)
		order = strcmp(left->name, right->name);
	if (order == 0 && left->wide != right->wide)
		order = left->wide ? 1 : -1;
	if (order == 0)
		order = strcmp(left->namespace, right->namespace);
	return order != 0 ? order : compare_positions(left, right);
}

static int
compare(const limit_range *left, const limit_range *right, int by)
{
	int order = left->wide || right->wide ? 0 : strcmp(left->namespace, right->namespace);

	if (left->wide != right->wide)
		return left->wide ? 1 : -1;
	return order != 0 ? order : compare_applied(left, right, by);
}

static int
compare_in_name_order(const void *a, const void *b)
{
	return compare(a, b, ORDER_NAME);
}

static int
compare_in_time_order(const void *a, const void *b)
{
	return compare(a, b, ORDER_CREATION);
}

/* Sorts unless the order is right already: a cluster may have many, which are in order. */
static void
sort(range_set *set, int (*by)(const void *a, const void *b))
{
	for (size_t i = 1; i < set->count; i++) {
		if (by(&set->ranges[i - 1], &set->ranges[i]) > 0) {
			qsort(set->ranges, set->count, sizeof *set->ranges, by);
			return;
		}
	}
}

void
range_set_sort(range_reader *reader, int order)
{
	range_set *set = reader->set;

	if (set->count == 0)
		return;
	sort(set, compare_by_name);
	for (size_t i = 1; i < set->count; i++) {
		const limit_range *range = &set->ranges[i];

		if (range->generated || compare_ranges(range - 1, range) != 0)
			continue;
		REFUSE(reader, range->where,
		       "there are two LimitRanges \"%s\" in the namespace \"%s\"",
		       range->name, range->namespace);
	}
	sort(set, order == ORDER_CREATION ? compare_in_time_order : compare_in_name_order);
	set->order = order;
	while (set->local < set->count && !set->ranges[set->local].wide)
		set->local++;
}

/* Returns the first LimitRange of 'namespace' alone, and how many there are. */
static const limit_range *
find_local(const range_set *set, const char *namespace, size_t *count)
{
	size_t low = 0;
	size_t high = set->local;
	size_t end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(set->ranges[middle].namespace, namespace) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < set->local && strcmp(set->ranges[end].namespace, namespace) == 0)
		end++;
	*count = end - low;
	return &set->ranges[low];
}

bool
range_set_has(const range_set *set, const char *namespace)
{
	size_t count = 0;

	if (set->count > 0)
		find_local(set, namespace, &count);
	return count > 0;
}

int
range_set_find(const range_set *set, const char *namespace, const limen_request *req,
               const limit_range *const **out, size_t *count)
{
	const limit_range *next;
	const limit_range *end;
	const limit_range **found;
	size_t local;

	*count = 0;
	if (set->count == 0)
		return LIMEN_OK;
	next = find_local(set, namespace, &local);
	end = next + local;
	found = limen_request_alloc(req, (local + set->count - set->local) * sizeof *found + 1);
	if (found == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = set->local; i < set->count; i++) {
		const limit_range *wide = &set->ranges[i];

		if (!range_is_for(wide, namespace))
			continue;
		while (next < end && compare_applied(next, wide, set->order) < 0)
			found[(*count)++] = next++;
		found[(*count)++] = wide;
	}
	while (next < end)
		found[(*count)++] = next++;
	*out = found;
	return LIMEN_OK;
}
