/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.c - the checks of core/v1 validation.ValidateLimitRange, in
 * its order and with its texts; the keys of maps are taken in byte order.
 */
#include <stdlib.h>
#include <string.h>

#include "range.h"

static limen_value
get_field(const limit_range *range, const char *key)
{
	limen_value metadata = limen_value_get(range->where, "metadata");
	limen_value field = limen_value_get(metadata, key);

	if (limen_value_exists(field))
		return field;
	return limen_value_exists(metadata) ? metadata : range->where;
}

/* Refuses the text 'value' of 'field' for each of 'problems'. */
static void
refuse_text(range_reader *reader, limen_value where, const char *field, limen_value value,
            const name_problems *problems)
{
	char *shown = limen_value_to_json(value, 0, NULL);

	if (shown == NULL)
		reader->result = LIMEN_ENOMEM;
	for (size_t i = 0; shown != NULL && i < problems->count; i++)
		REFUSE(reader, where, "%s: Invalid value: %s: %s", field, shown,
		       problems->texts[i]);
	free(shown);
}

/* A generated name is a prefix that may end in hyphens (NameIsDNSSubdomain). */
static void
check_name(range_reader *reader, const limit_range *range)
{
	limen_value where = get_field(range, range->generated ? "generateName" : "name");
	name_problems problems = { .count = 0 };
	size_t length = 0;
	const char *text = limen_value_string(where, &length);

	if (*range->name == '\0') {
		REFUSE(reader, where, "metadata.name: Required value: "
		                      "name or generateName is required");
		return;
	}
	while (range->generated && length > 1 && text[length - 1] == '-')
		length--;
	names_check_subdomain(text, length, &problems);
	refuse_text(reader, where, range->generated ? "metadata.generateName" : "metadata.name",
	            where, &problems);
}

static void
check_namespace(range_reader *reader, const limit_range *range)
{
	limen_value where = get_field(range, "namespace");
	name_problems problems = { .count = 0 };
	size_t length = 0;
	const char *text = limen_value_string(where, &length);

	if (text == NULL || range->namespace != text)
		return;
	names_check_label(text, length, &problems);
	refuse_text(reader, where, "metadata.namespace", where, &problems);
}

static int
compare_types(const range_item *item, const range_item *other)
{
	if (item->type_length != other->type_length)
		return item->type_length < other->type_length ? -1 : 1;
	return memcmp(item->type_text, other->type_text, item->type_length);
}

/* By type; items of one type stay as they are written. */
static int
compare_items(const void *left, const void *right)
{
	const range_item *item = *(range_item *const *)left;
	const range_item *other = *(range_item *const *)right;
	int order = compare_types(item, other);

	return order != 0 ? order : (item > other) - (item < other);
}

/* False when memory is short. */
static bool
mark_repeated(const limit_range *range)
{
	range_item **items;

	if (range->count < 2)
		return true;
	items = malloc(range->count * sizeof(*items));
	if (items == NULL)
		return false;
	for (size_t i = 0; i < range->count; i++)
		items[i] = &range->items[i];
	qsort(items, range->count, sizeof(*items), compare_items);
	for (size_t i = 1; i < range->count; i++)
		items[i]->repeated = compare_types(items[i - 1], items[i]) == 0;
	free(items);
	return true;
}

static void
check_type(range_reader *reader, const range_item *item)
{
	limen_value type = limen_value_get(item->where, "type");
	limen_value where = limen_value_exists(type) ? type : item->where;
	name_problems problems = { .count = 0 };
	char *shown = limen_value_type(type) == LIMEN_TYPE_STRING
	                      ? limen_value_to_json(type, 0, NULL)
	                      : strdup("\"\"");

	names_check_qualified(item->type_text, item->type_length, &problems);
	if (problems.count == 0 && item->type == ITEM_OTHER &&
	    memchr(item->type_text, '/', item->type_length) == NULL)
		problems = (name_problems){
			{ "must be a standard limit type or fully qualified" }, 1
		};
	if (shown == NULL)
		reader->result = LIMEN_ENOMEM;
	for (size_t i = 0; shown != NULL && i < problems.count; i++)
		REFUSE(reader, where, "spec.limits[%zu].type: Invalid value: %s: %s",
		       item->index, shown, problems.texts[i]);
	if (problems.count > 0)
		limen_diag_hint(reader->diag, "such as Container, Pod or PersistentVolumeClaim");
	if (shown != NULL && item->repeated)
		REFUSE(reader, where, "spec.limits[%zu].type: Duplicate value: %s",
		       item->index, shown);
	free(shown);
}

/* A wrong name of "max" is reported of the defaults made from it too, as upstream. */
static void
check_names(range_reader *reader, const range_item *item, size_t which)
{
	const resource_list *list = &item->lists[which];
	bool of_containers = item->type == ITEM_POD || item->type == ITEM_CONTAINER;

	for (size_t i = 0; i < list->count; i++) {
		const resource *element = &list->items[i];
		name_problems problems = { .count = 0 };

		names_check_resource(element->name, element->length, of_containers, &problems);
		for (size_t j = 0; j < problems.count; j++)
			REFUSE(reader, element->where,
			       "spec.limits[%zu].%s[%s]: Invalid value: \"%s\": %s",
			       item->index, range_list_names[which], element->name, element->name,
			       problems.texts[j]);
	}
}

static void
check_pod_defaults(range_reader *reader, const range_item *item, size_t which)
{
	if (item->lists[which].count > 0)
		REFUSE(reader, limen_value_get(item->where, range_list_names[which]),
		       "spec.limits[%zu].%s: Forbidden: "
		       "may not be specified when `type` is 'Pod'",
		       item->index, range_list_names[which]);
}

static bool
has_storage(const range_item *item, size_t which)
{
	resource storage;

	resource_name(&storage, "storage", strlen("storage"));
	return resource_list_find(&item->lists[which], &storage) != NULL;
}

static void
check_item(range_reader *reader, const range_item *item)
{
	check_type(reader, item);
	check_names(reader, item, LIST_MAX);
	check_names(reader, item, LIST_MIN);
	if (item->type == ITEM_POD) {
		check_pod_defaults(reader, item, LIST_DEFAULT);
		check_pod_defaults(reader, item, LIST_DEFAULT_REQUEST);
	} else {
		check_names(reader, item, LIST_DEFAULT);
		check_names(reader, item, LIST_DEFAULT_REQUEST);
	}
	if (item->type == ITEM_CLAIM && !has_storage(item, LIST_MIN) &&
	    !has_storage(item, LIST_MAX))
		REFUSE(reader, item->where,
		       "spec.limits[%zu].limits: Required value: either minimum or maximum "
		       "storage value is required, but neither was provided", item->index);
	check_names(reader, item, LIST_RATIO);
	range_check_bounds(reader, item);
}

void
range_validate(range_reader *reader, const limit_range *range)
{
	check_name(reader, range);
	check_namespace(reader, range);
	if (!mark_repeated(range))
		reader->result = LIMEN_ENOMEM;
	for (size_t i = 0; i < range->count; i++)
		check_item(reader, &range->items[i]);
}
