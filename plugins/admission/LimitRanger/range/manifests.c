/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manifests.c - finds the LimitRanges in what a policy holds: single objects,
 * and lists of them.
 */
#include "range.h"

/* Elements of a LimitRangeList need not say what they are; 'typed' is for those. */
static bool
is_range(limen_value element, bool typed)
{
	limen_value kind = limen_value_get(element, "kind");
	limen_value version = limen_value_get(element, "apiVersion");

	if (limen_value_type(element) != LIMEN_TYPE_OBJECT)
		return false;
	if (!limen_value_is(kind, "LimitRange") && (!typed || limen_value_exists(kind)))
		return false;
	return limen_value_is(version, "v1") || (typed && !limen_value_exists(version));
}

static void
read_elements(range_reader *reader, limen_value list, bool typed)
{
	limen_value items = limen_value_get(list, "items");
	limen_value element;

	range_check_list_fields(reader, list);
	if (!range_read_type(reader, items, LIMEN_TYPE_ARRAY, "items"))
		return;
	for (limen_iter iter = limen_iter_start(items); limen_iter_next(&iter, NULL, &element);) {
		if (is_range(element, typed))
			range_read(reader, element);
		else
			REFUSE(reader, element, "must be a LimitRange of apiVersion \"v1\"");
	}
}

static void
read_manifest(range_reader *reader, limen_value object)
{
	limen_value kind = limen_value_get(object, "kind");
	limen_value version = limen_value_get(object, "apiVersion");

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, object, "must be a LimitRange or a list of them");
		return;
	}
	if (!limen_value_is(version, "v1")) {
		REFUSE(reader, limen_value_exists(version) ? version : object,
		       "the apiVersion of a LimitRange must be \"v1\"");
		return;
	}
	if (limen_value_is(kind, "LimitRange"))
		range_read(reader, object);
	else if (limen_value_is(kind, "LimitRangeList"))
		read_elements(reader, object, true);
	else if (limen_value_is(kind, "List"))
		read_elements(reader, object, false);
	else
		REFUSE(reader, limen_value_exists(kind) ? kind : object,
		       "the kind must be LimitRange, LimitRangeList or List");
}

void
range_read_manifests(range_reader *reader, limen_value manifests)
{
	limen_value object;

	if (!limen_value_exists(manifests))
		return;
	if (limen_value_type(manifests) != LIMEN_TYPE_ARRAY) {
		read_manifest(reader, manifests);
		return;
	}
	for (limen_iter iter = limen_iter_start(manifests); limen_iter_next(&iter, NULL, &object);)
		read_manifest(reader, object);
}
