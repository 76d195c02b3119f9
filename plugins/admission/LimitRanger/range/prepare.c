/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare.c - makes the lists of a container that has nothing and is given all defaults of an
 * item: most that are given anything are such.
 */
#include "../limit_ranger.h"

/* Is nothing to be said of a container that has all defaults and nothing else? */
static bool
is_settled(const range_item *item)
{
	container one = { .init = false };
	bool settled = true;

	for (size_t where = 0; where < SIDE_COUNT; where++)
		one.given.lists[where] = item->lists[range_defaults[where]];
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		const resource_list *list = &one.given.lists[where];

		for (size_t i = 0; i < list->count; i++)
			settled = settled && container_objection(&one, &list->items[i], true) == NULL;
	}
	return settled && enforce_defaults(item, &one);
}

static int
prepare_item(range_item *item)
{
	limen_builder *build = item->prepared = limen_builder_new();

	limen_builder_object(build, NULL);
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		resource_list *list = &item->lists[range_defaults[where]];

		for (size_t i = 0; i < list->count; i++)
			list->items[i].item = item;
		range_list_build(build, side_fields[where], list);
	}
	limen_builder_end(build);
	for (size_t where = 0; where < SIDE_COUNT; where++)
		item->defaults[where] = limen_value_get(limen_builder_finish(build),
		                                        side_fields[where]);
	item->settled = is_settled(item);
	return limen_value_exists(limen_builder_finish(build)) ? LIMEN_OK : LIMEN_ENOMEM;
}

int
range_prepare(limit_range *range)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		range_item *item = &range->items[i];

		/* A stored item that cannot be read is never enforced. */
		if (item->type == ITEM_CONTAINER && item->problem == NULL &&
		    item->lists[LIST_DEFAULT].count + item->lists[LIST_DEFAULT_REQUEST].count > 0)
			result = prepare_item(item);
		item->owner = range->name;
	}
	return result;
}
