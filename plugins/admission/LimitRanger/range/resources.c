/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources.c - reads a map of resources into a list sorted by name, and finds resources in it.
 * Quantities are rounded up to milli.
 */
#include "resources.h"

int
resource_compare_rest(const resource *a, const resource *b)
{
	size_t least = a->length < b->length ? a->length : b->length;
	int order = least <= sizeof a->prefix ? 0 : memcmp(a->name, b->name, least);

	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

const resource *
resource_list_search(const resource_list *list, const resource *named)
{
	return bsearch(named, list->items, list->count, sizeof *list->items, resource_order);
}

/* Lists are short as a rule, and in order already. */
static void
sort_items(resource_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		if (resource_compare(&list->items[i - 1], &list->items[i]) > 0) {
			qsort(list->items, list->count, sizeof *list->items, resource_order);
			return;
		}
	}
}

int
resource_list_read(resource_list *list, limen_value map, resource_problem *problem)
{
	limen_value key, value;

	list->count = 0;
	for (limen_iter iter = limen_iter_start(map); limen_iter_next(&iter, &key, &value);) {
		resource *item = &list->items[list->count];
		const char *why = "";
		size_t length = 0;
		int result;

		*item = (resource){ .where = value };
		item->name = limen_value_string(key, &length);
		resource_name(item, item->name, length);
		result = limen_quantity_from_value(value, 0, &item->quantity, &why);
		if (result != LIMEN_OK) {
			*problem = (resource_problem){ key, value, why };
			resource_list_clear(list);
			return result;
		}
		item->rounded = !limen_quantity_round_up(&item->quantity, LIMEN_QUANTITY_MILLI);
		item->milli = limen_quantity_scaled(&item->quantity, LIMEN_QUANTITY_MILLI);
		if (item->milli == INT64_MIN)
			item->milli = MILLI_LARGE;
		list->count++;
	}
	sort_items(list);
	return LIMEN_OK;
}

void
resource_list_clear(resource_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		/* A quantity that fits thousandths has no memory of its own. */
		if (list->items[i].milli == MILLI_LARGE)
			limen_quantity_clear(&list->items[i].quantity);
		/* The texts of values that containers are given belong to the request. */
		if (list->items[i].text != NULL && !list->items[i].borrowed)
			free(list->items[i].text);
	}
	list->count = 0;
}
