/* SPDX-License-Identifier: Apache-2.0 */
#include "resources.h"

#include <stdlib.h>
#include <string.h>

/* So many are looked through one by one. */
#define FEW ((size_t)8)

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

/* Returns 'name', or a constant of the same text, so that names can be told by their place. */
static const char *
find_constant(const char *name, size_t length)
{
	static const char cpu[] = "cpu";
	static const char memory[] = "memory";

	if (length == sizeof cpu - 1 && memcmp(name, cpu, sizeof cpu - 1) == 0)
		return cpu;
	if (length == sizeof memory - 1 && memcmp(name, memory, sizeof memory - 1) == 0)
		return memory;
	return name;
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

int
resource_list_read(resource_list *list, limen_value map, resource_problem *problem)
{
	limen_iter iter = limen_iter_start(map);
	limen_value key, value;

	list->count = 0;
	while (limen_iter_next(&iter, &key, &value)) {
		resource *item = &list->items[list->count];
		const char *why = "";
		int result;

		*item = (resource){ .where = value };
		item->name = limen_value_string(key, &item->length);
		item->name = find_constant(item->name, item->length);
		result = limen_quantity_from_value(value, 0, &item->quantity, &why);
		if (result != LIMEN_OK) {
			*problem = (resource_problem){ key, value, why };
			resource_list_clear(list);
			return result;
		}
		item->rounded =
			!limen_quantity_round_up(&item->quantity, LIMEN_QUANTITY_MILLI);
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

const limen_quantity *
resource_list_get(const resource_list *list, const resource *named)
{
	const resource *found = NULL;

	if (list->count > FEW)
		found = resource_list_find(list, named->name, named->length);
	for (size_t i = 0; list->count <= FEW && found == NULL && i < list->count; i++) {
		if (resource_is(&list->items[i], named))
			found = &list->items[i];
	}
	return found == NULL ? NULL : &found->quantity;
}
