/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotation.c - writes the annotation about the values that a LimitRange gave, in the words
 * of Kubernetes (LimitRanger, mergePodResourceRequirements).
 */
#include "../limit_ranger.h"

/* Writes the names that 'last' gave on one side, in their order. */
static void
write_part(text_buffer *out, const container *which, side from, const limit_range *last, bool *first)
{
	static const char *const whose[SIDE_COUNT][2] = {
		[SIDE_REQUEST] = { " request for container ", " request for init container " },
		[SIDE_LIMIT] = { " limit for container ", " limit for init container " },
	};
	const resource_list *list = &which->added[from];
	bool any = false;
	size_t length = 0;
	const char *name = limen_value_string(which->name, &length);

	for (size_t i = 0; i < list->count; i++) {
		const range_item *item = list->items[i].item;

		if (item == NULL || item < last->items || item >= last->items + last->count)
			continue;
		if (any || !*first)
			text_add(out, any ? ", " : "; ");
		text_add_bytes(out, list->items[i].name, list->items[i].length);
		any = true;
		*first = false;
	}
	if (!any)
		return;
	text_add(out, whose[from][which->init ? 1 : 0]);
	if (name != NULL)
		text_add_bytes(out, name, length);
}

void
annotation_write(text_buffer *out, const pod *whole, const limit_range *last)
{
	bool first = true;

	text_add(out, "LimitRanger plugin set: ");
	for (size_t i = 0; i < whole->count; i++) {
		write_part(out, &whole->containers[i], SIDE_REQUEST, last, &first);
		write_part(out, &whole->containers[i], SIDE_LIMIT, last, &first);
	}
}
