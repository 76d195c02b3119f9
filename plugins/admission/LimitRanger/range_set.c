/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_set.c - the LimitRanges of a policy in a fixed order.  Kubernetes
 * applies those of a namespace in no particular one.
 */
#include <stdlib.h>
#include <string.h>

#include "range.h"

limit_range *
range_set_add(range_set *set)
{
	if (set->count == set->size) {
		size_t size = set->size == 0 ? 8 : set->size * 2;
		limit_range *ranges = reallocarray(set->ranges, size, sizeof *ranges);

		if (ranges == NULL)
			return NULL;
		set->ranges = ranges;
		set->size = size;
	}
	set->ranges[set->count] = (limit_range){
		.name = "",
		.namespace = "",
		.position = set->count,
	};
	return &set->ranges[set->count++];
}

static int
compare_ranges(const limit_range *a, const limit_range *b)
{
	int order = strcmp(a->namespace, b->namespace);

	return order != 0 ? order : strcmp(a->name, b->name);
}

static int
compare_positions(const limit_range *a, const limit_range *b)
{
	return a->position < b->position ? -1 : a->position > b->position;
}

static int
compare_by_name(const void *a, const void *b)
{
	int order = compare_ranges(a, b);

	return order != 0 ? order : compare_positions(a, b);
}

/* What has no time comes last. */
static int
compare_by_time(const void *a, const void *b)
{
	const limit_range *left = a;
	const limit_range *right = b;
	int order = strcmp(left->namespace, right->namespace);

	if (order != 0)
		return order;
	if (left->has_time != right->has_time)
		return left->has_time ? -1 : 1;
	if (left->has_time && left->created != right->created)
		return left->created < right->created ? -1 : 1;
	return compare_by_name(a, b);
}

void
range_set_sort(range_reader *reader, range_order order)
{
	range_set *set = reader->set;

	if (set->count == 0)
		return;
	qsort(set->ranges, set->count, sizeof *set->ranges, compare_by_name);
	for (size_t i = 1; i < set->count; i++) {
		const limit_range *range = &set->ranges[i];

		if (range->generated || compare_ranges(range - 1, range) != 0)
			continue;
		range_refuse(reader, range->where,
		             "there are two LimitRanges \"%s\" in the namespace \"%s\"",
		             range->name, range->namespace);
	}
	if (order == ORDER_CREATION)
		qsort(set->ranges, set->count, sizeof *set->ranges, compare_by_time);
}

const limit_range *
range_set_find(const range_set *set, const char *namespace, size_t *count)
{
	size_t low = 0;
	size_t high = set->count;
	size_t end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(set->ranges[middle].namespace, namespace) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < set->count && strcmp(set->ranges[end].namespace, namespace) == 0)
		end++;
	*count = end - low;
	return *count == 0 ? NULL : &set->ranges[low];
}

static void
clear_range(limit_range *range)
{
	for (size_t i = 0; i < range->count; i++) {
		for (size_t list = 0; list < LIST_COUNT; list++) {
			resource_list_clear(&range->items[i].lists[list]);
			free(range->items[i].lists[list].items);
		}
	}
	free(range->items);
}

void
range_set_clear(range_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		clear_range(&set->ranges[i]);
	free(set->ranges);
	*set = (range_set){ NULL, 0, 0 };
}
