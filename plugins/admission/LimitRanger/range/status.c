/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status.c - the LimitRanges in force, as the API server would show them:
 * with their defaults, and by namespace in the order in which they are applied.
 */
#include <stdlib.h>
#include <string.h>

#include <limen/duration.h>

#include "range.h"

/* The order of "kubectl get limits -o yaml". */
static const size_t shown_lists[LIST_COUNT] = {
	LIST_DEFAULT, LIST_DEFAULT_REQUEST, LIST_MAX, LIST_RATIO, LIST_MIN,
};

void
range_list_build(limen_builder *build, const char *key, const resource_list *list)
{
	limen_builder_object(build, key);
	for (size_t i = 0; i < list->count; i++)
		limen_builder_text(build, list->items[i].name, list->items[i].text);
	limen_builder_end(build);
}

static void
build_item(limen_builder *build, const range_item *item)
{
	limen_builder_object(build, NULL);
	for (size_t i = 0; i < LIST_COUNT; i++) {
		const resource_list *list = &item->lists[shown_lists[i]];

		if (list->count > 0)
			range_list_build(build, range_list_names[shown_lists[i]], list);
	}
	limen_builder_text(build, "type", item->type_text);
	/* Not a field of Kubernetes: it is there once the item has refused something. */
	if (item->violations != NULL && atomic_load(item->violations) > 0)
		limen_builder_int(build, "violations", (int64_t)atomic_load(item->violations));
	limen_builder_end(build);
}

/* Adds the annotations of limen. */
static void
build_annotations(limen_builder *build, const limit_range *range)
{
	static const char *const keys[] = { ANNOTATION_ITEMS, ANNOTATION_NAMESPACES };
	bool any = false;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		limen_value found = annotation_get(range->where, keys[i]);

		if (!limen_value_exists(found))
			continue;
		if (!any)
			limen_builder_object(build, "annotations");
		limen_builder_value(build, keys[i], found);
		any = true;
	}
	if (any)
		limen_builder_end(build);
}

static void
build_metadata(limen_builder *build, const limit_range *range)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	limen_builder_object(build, "metadata");
	build_annotations(build, range);
	if (range->has_time) {
		limen_timestamp_print(&(limen_timestamp){ .time = range->created }, time);
		limen_builder_text(build, "creationTimestamp", time);
	}
	limen_builder_text(build, range->generated ? "generateName" : "name", range->name);
	limen_builder_text(build, "namespace", range->namespace);
	limen_builder_end(build);
}

static limen_value
build_range(limen_builder *build, const limit_range *range)
{
	limen_builder_object(build, NULL);
	limen_builder_text(build, "apiVersion", "v1");
	limen_builder_text(build, "kind", "LimitRange");
	build_metadata(build, range);
	limen_builder_object(build, "spec");
	limen_builder_array(build, "limits");
	for (size_t i = 0; i < range->count; i++)
		build_item(build, &range->items[i]);
	limen_builder_end(build);
	limen_builder_end(build);
	limen_builder_end(build);
	return limen_builder_finish(build);
}

size_t
range_set_report(const range_set *set, size_t ranges, size_t bytes, limen_builder *build)
{
	size_t used = strlen("[");
	size_t shown = 0;

	limen_builder_array(build, "limitRanges");
	while (used <= bytes && shown < set->count && shown < ranges) {
		limen_builder *item = limen_builder_new();
		limen_value range = build_range(item, &set->ranges[shown]);
		size_t length = 0;

		free(limen_value_to_json(range, 0, &length));
		used += length + (shown > 0 ? strlen(",") : 0);
		if (used <= bytes) {
			limen_builder_value(build, NULL, range);
			shown++;
		}
		limen_builder_free(item);
	}
	limen_builder_end(build);
	return set->count - shown;
}
