/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources.c - reads a map of resources into a list sorted by name, and finds resources in it.
 * Quantities are rounded up to milli; the names "cpu" and "memory" are replaced by constants
 * that compare by address.
 */
#include "resources.h"

#include <stdlib.h>
#include <string.h>

static int
compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	if (order != 0)
		return order < 0 ? -1 : 1;
	return a_length == b_length ? 0 : a_length < b_length ? -1 : 1;
}

int
resource_compare(const resource *a, const resource *b)
{
	return compare_names(a->name, a->length, b->name, b->length);
}

static int
compare_items(const void *a, const void *b)
{
	return resource_compare(a, b);
}

/* What nearly everybody limits has names that can be told by their place. */
static void
find_constant(resource *item)
{
	static const char cpu[] = "cpu";
	static const char memory[] = "memory";

	item->usual = true;
	if (item->length == sizeof cpu - 1 && memcmp(item->name, cpu, sizeof cpu - 1) == 0)
		item->name = cpu;
	else if (item->length == sizeof memory - 1 &&
	         memcmp(item->name, memory, sizeof memory - 1) == 0)
		item->name = memory;
	else
		item->usual = false;
}

/* Lists are short as a rule, and in order already. */
static void
sort_items(resource_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		if (resource_compare(&list->items[i - 1], &list->items[i]) > 0) {
			qsort(list->items, list->count, sizeof *list->items, compare_items);
			return;
		}
	}
}

/* Of those that most quantities have nothing is counted. */
static size_t
lengthy_digits(const limen_quantity *quantity)
{
	size_t size = limen_quantity_size(quantity);

	return size > LIMEN_QUANTITY_DIGITS ? size : 0;
}

int
resource_list_read(resource_list *list, limen_value map, resource_problem *problem)
{
	limen_iter iter = limen_iter_start(map);
	limen_value key, value;

	list->count = list->digits = 0;
	while (limen_iter_next(&iter, &key, &value)) {
		resource *item = &list->items[list->count];
		const char *why = "";
		int result;

		*item = (resource){ .where = value };
		item->name = limen_value_string(key, &item->length);
		find_constant(item);
		result = limen_quantity_from_value(value, 0, &item->quantity, &why);
		if (result != LIMEN_OK) {
			*problem = (resource_problem){ key, value, why };
			resource_list_clear(list);
			return result;
		}
		item->rounded =
			!limen_quantity_round_up(&item->quantity, LIMEN_QUANTITY_MILLI);
		list->digits += lengthy_digits(&item->quantity);
		list->count++;
	}
	sort_items(list);
	return LIMEN_OK;
}

void
resource_list_clear(resource_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		limen_quantity_clear(&list->items[i].quantity);
		/* Only lists of a policy have it. */
		if (list->items[i].text != NULL)
			free(list->items[i].text);
	}
	list->count = 0;
}

const resource *
resource_list_find(const resource_list *list, const char *name, size_t length)
{
	size_t low = 0;
	size_t high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const resource *item = &list->items[middle];
		int order = compare_names(item->name, item->length, name, length);

		if (order == 0)
			return item;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const resource *
resource_list_find_named(const resource_list *list, const resource *named)
{
	if (list->count > RESOURCES_FEW)
		return resource_list_find(list, named->name, named->length);
	for (size_t i = 0; i < list->count; i++) {
		if (resource_is(&list->items[i], named))
			return &list->items[i];
	}
	return NULL;
}
