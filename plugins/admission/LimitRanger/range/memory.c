/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - the memory of a set of LimitRanges: its own, or that of others whose
 * LimitRanges it has in an order of its own.
 */
#include <stdlib.h>

#include "range.h"

limit_range *
range_set_add(range_set *set)
{
	size_t size = set->size == 0 ? 8 : set->size * 2;

	if (set->count == set->size) {
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

bool
range_set_borrow(range_set *set, const range_set *from)
{
	set->borrowed = true;
	set->broken += from->broken;
	for (size_t i = 0; i < from->count; i++) {
		limit_range *range = range_set_add(set);

		if (range == NULL)
			return false;
		*range = from->ranges[i];
		range->position = set->count - 1;
	}
	return true;
}

static void
clear_range(limit_range *range)
{
	for (size_t i = 0; i < range->count; i++) {
		for (size_t list = 0; list < LIST_COUNT; list++) {
			resource_list_clear(&range->items[i].lists[list]);
			free(range->items[i].lists[list].items);
		}
		limen_builder_free(range->items[i].prepared);
		free(range->items[i].problem);
		free(range->items[i].violations);
		limen_selector_free(range->items[i].selector);
		free(range->items[i].containers.items);
	}
	limen_documents_free(range->texts[0]);
	limen_documents_free(range->texts[1]);
	free(range->namespaces.items);
	free(range->items);
	free(range->problem);
}

void
range_set_clear(range_set *set)
{
	for (size_t i = 0; !set->borrowed && i < set->count; i++)
		clear_range(&set->ranges[i]);
	free(set->ranges);
	*set = (range_set){ .count = 0 };
}
