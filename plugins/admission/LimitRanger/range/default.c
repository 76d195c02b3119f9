/* SPDX-License-Identifier: Apache-2.0 */
/*
 * default.c - what the API server fills in when it reads a LimitRange
 * (SetDefaults_LimitRangeItem): items of type Container only, before they are
 * checked.
 */
#include <stdlib.h>

#include "range.h"

/* Adds copies of the resources of 'from' that 'list' lacks; their texts stay those of 'from'. */
static int
add_missing(resource_list *list, const resource_list *from)
{
	resource_list sorted = *list;
	int result = LIMEN_OK;

	if (from->count == 0)
		return LIMEN_OK;
	sorted.items = reallocarray(list->items, list->count + from->count, sizeof *list->items);
	if (sorted.items == NULL)
		return LIMEN_ENOMEM;
	list->items = sorted.items;
	for (size_t i = 0; result == LIMEN_OK && i < from->count; i++) {
		resource *to = &list->items[list->count];

		if (resource_list_find(&sorted, &from->items[i]) != NULL)
			continue;
		*to = from->items[i];
		to->borrowed = true;
		result = limen_quantity_copy(&from->items[i].quantity, &to->quantity);
		list->count += result == LIMEN_OK;
	}
	qsort(list->items, list->count, sizeof *list->items, resource_order);
	return result;
}

int
range_default(limit_range *range)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		resource_list *lists = range->items[i].lists;

		if (range->items[i].type != ITEM_CONTAINER)
			continue;
		result = add_missing(&lists[LIST_DEFAULT], &lists[LIST_MAX]);
		if (result == LIMEN_OK)
			result = add_missing(&lists[LIST_DEFAULT_REQUEST], &lists[LIST_DEFAULT]);
		if (result == LIMEN_OK)
			result = add_missing(&lists[LIST_DEFAULT_REQUEST], &lists[LIST_MIN]);
	}
	return result;
}
