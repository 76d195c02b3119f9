/* SPDX-License-Identifier: Apache-2.0 */
/*
 * item_scope.c - decides whether an item applies to an object or a container, if
 * annotations narrow it (annotations.c).
 */
#include "../limit_ranger.h"

static bool
may_select(const range_item *item, const scope *within, limen_value object)
{
	return limen_value_type(object) == LIMEN_TYPE_OBJECT &&
	       limen_selector_match(item->selector, object, within->namespace, within->name) !=
	               LIMEN_FAIL;
}

/* An update matches by its old or its new object: changing a label is no way out. */
bool
item_selects(const range_item *item, const scope *within, deadline *end)
{
	if (item->selector == NULL)
		return true;
	if (must_leave(end, DEADLINE_STEPS))
		return false;
	return may_select(item, within, within->object) || may_select(item, within, within->old);
}

bool
item_has_container(const range_item *item, const container *element, deadline *end)
{
	const name_list *patterns = &item->containers;
	size_t length = 0;
	const char *name;

	if (patterns->count == 0)
		return true;
	name = limen_value_string(element->name, &length);
	if (must_leave(end, patterns->count))
		return false;
	return name_list_has(patterns, name == NULL ? "" : name, name == NULL ? 0 : length);
}
