/* SPDX-License-Identifier: Apache-2.0 */
/*
 * default.c - what the API server fills in when it reads a LimitRange
 * (SetDefaults_LimitRangeItem): items of type Container only, before they are
 * checked.
 */
#include <stdlib.h>
#include <string.h>

#include "range.h"

static int
copy_resource(const resource *from, resource *to)
{
	int result;

	*to = *from;
	to->text = strdup(from->text);
	if (to->text == NULL)
		return LIMEN_ENOMEM;
	result = limen_quantity_copy(&from->quantity, &to->quantity);
	if (result == LIMEN_OK)
		return LIMEN_OK;
	free(to->text);
	return result;
}

/* Moves what 'list' holds and copies what only 'from' has to 'merged'. */
static int
merge(resource_list *merged, const resource_list *list, const resource_list *from)
{
	size_t next = 0;

	for (size_t i = 0; i < from->count; i++) {
		const resource *wanted = &from->items[i];
		resource *to;

		while (next < list->count && resource_compare(&list->items[next], wanted) < 0)
			merged->items[merged->count++] = list->items[next++];
		if (next < list->count && resource_compare(&list->items[next], wanted) == 0)
			continue;
		to = &merged->items[merged->count];
		if (copy_resource(wanted, to) != LIMEN_OK)
			return LIMEN_ENOMEM;
		merged->count++;
	}
	while (next < list->count)
		merged->items[merged->count++] = list->items[next++];
	return LIMEN_OK;
}

/* Frees the copies in a half-made list; the others still belong to 'list'. */
static void
drop_copies(resource_list *merged, const resource_list *list)
{
	for (size_t i = 0; i < merged->count; i++) {
		resource *item = &merged->items[i];

		if (resource_list_find(list, item->name, item->length) != NULL)
			continue;
		limen_quantity_clear(&item->quantity);
		free(item->text);
	}
	free(merged->items);
}

/* Adds the resources of 'from' that 'list' lacks. */
static int
add_missing(resource_list *list, const resource_list *from)
{
	resource_list merged = { .items = NULL };

	if (from->count == 0)
		return LIMEN_OK;
	merged.items = calloc(list->count + from->count, sizeof *merged.items);
	if (merged.items == NULL)
		return LIMEN_ENOMEM;
	if (merge(&merged, list, from) != LIMEN_OK) {
		drop_copies(&merged, list);
		return LIMEN_ENOMEM;
	}
	free(list->items);
	*list = merged;
	return LIMEN_OK;
}

static int
default_item(range_item *item)
{
	resource_list *lists = item->lists;
	int result = add_missing(&lists[LIST_DEFAULT], &lists[LIST_MAX]);

	if (result == LIMEN_OK)
		result = add_missing(&lists[LIST_DEFAULT_REQUEST], &lists[LIST_DEFAULT]);
	if (result == LIMEN_OK)
		result = add_missing(&lists[LIST_DEFAULT_REQUEST], &lists[LIST_MIN]);
	return result;
}

int
range_default(limit_range *range)
{
	for (size_t i = 0; i < range->count; i++) {
		if (range->items[i].type != ITEM_CONTAINER)
			continue;
		if (default_item(&range->items[i]) != LIMEN_OK)
			return LIMEN_ENOMEM;
	}
	return LIMEN_OK;
}
