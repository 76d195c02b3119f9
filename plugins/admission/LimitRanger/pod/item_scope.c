/* SPDX-License-Identifier: Apache-2.0 */
/*
 * item_scope.c - which objects and containers an item of a LimitRange is about,
 * where its LimitRange says more than a type (annotations.c).
 */
#include <string.h>

#include "../limit_ranger.h"

/* The units of looking up one label, or a text that a field is about. */
static uint64_t
lookup_cost(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");

	return 1 + limen_value_count(object) + limen_value_count(metadata) +
	       limen_value_count(limen_value_get(metadata, "labels"));
}

/* What fields of a selector are about. */
static const char *const paths[][2] = {
	{ "metadata", "name" }, { "metadata", "generateName" }, { "metadata", "namespace" },
	{ "metadata", "uid" }, { "spec", "nodeName" }, { "spec", "priorityClassName" },
	{ "spec", "serviceAccountName" },
};

#define TEXTS (sizeof paths / sizeof paths[0])

/* How long these are. */
static uint64_t
measure(limen_value object)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < TEXTS; i++) {
		size_t length = 0;

		limen_value_string(limen_value_get(limen_value_get(object, paths[i][0]),
		                                   paths[i][1]), &length);
		sum += length;
	}
	return sum;
}

/* What is known of an object counts in place of what it says. */
static uint64_t
measure_all(const scope *about)
{
	return measure(about->object) + measure(about->old) + strlen(about->namespace) +
	       (about->name == NULL ? 0 : strlen(about->name));
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
	uint64_t cost;

	if (item->selector == NULL)
		return true;
	cost = lookup_cost(about->object) + lookup_cost(about->old);
	if (!work_charge(done, (TEXTS + item->terms + item->fields) * cost))
		return false;
	if (item->fields > 0 &&
	    !work_charge(done, (uint64_t)item->fields * measure_all(about)))
		return false;
	return may_select(item, about, about->object) || may_select(item, about, about->old);
}

bool
item_has_container(const range_item *item, const container *one, work *done)
{
	size_t length = 0;
	const char *name;
	uint64_t units;

	if (item->containers.count == 0)
		return true;
	name = limen_value_string(one->name, &length);
	units = 1 + length + item->containers.bytes / item->containers.count / 8;
	/* One by one, so that the clock is read between them. */
	for (size_t i = 0; i < item->containers.count && work_charge(done, units); i++) {
		if (limen_glob_match(item->containers.items[i], name == NULL ? "" : name, length))
			return true;
	}
	return false;
}
