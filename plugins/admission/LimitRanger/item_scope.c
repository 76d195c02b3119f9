/* SPDX-License-Identifier: Apache-2.0 */
/*
 * item_scope.c - which objects and containers an item of a LimitRange is about,
 * where its LimitRange says more than a type (range_annotations.c).
 */
#include "limit_ranger.h"

/* Of labels there are as many as fit in a LimitRange. */
#define SELECTOR_COST 100

/* How long the texts are that fields of a selector are about. */
static uint64_t
measure(limen_value object)
{
	static const char *const paths[][2] = {
		{ "metadata", "name" }, { "metadata", "generateName" },
		{ "metadata", "namespace" }, { "metadata", "uid" }, { "spec", "nodeName" },
		{ "spec", "priorityClassName" }, { "spec", "serviceAccountName" },
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		size_t length = 0;

		limen_value_string(limen_value_get(limen_value_get(object, paths[i][0]),
		                                   paths[i][1]), &length);
		sum += length;
	}
	return sum;
}

static bool
may_select(const range_item *item, const scope *about, limen_value object)
{
	return limen_value_type(object) == LIMEN_TYPE_OBJECT &&
	       limen_selector_match(item->selector, object, about->namespace, about->name) !=
	               LIMEN_FAIL;
}

/* Of an update either object may be selected, so that no label is a way out. */
bool
item_selects(const range_item *item, const scope *about, work *done)
{
	if (item->selector == NULL)
		return true;
	if (!work_charge(done, SELECTOR_COST) ||
	    (item->fields > 0 &&
	     !work_charge(done, (uint64_t)item->fields *
	                                (measure(about->object) + measure(about->old)) / 8)))
		return false;
	return may_select(item, about, about->object) || may_select(item, about, about->old);
}

bool
item_has_container(const range_item *item, const container *one, work *done)
{
	size_t length = 0;
	const char *name;

	if (item->containers.count == 0)
		return true;
	name = limen_value_string(one->name, &length);
	if (!work_charge(done, item->containers.count + item->containers.bytes / 8 +
	                               (uint64_t)item->containers.count * length / 8))
		return false;
	for (size_t i = 0; i < item->containers.count; i++) {
		if (limen_glob_match(item->containers.items[i], name == NULL ? "" : name, length))
			return true;
	}
	return false;
}
