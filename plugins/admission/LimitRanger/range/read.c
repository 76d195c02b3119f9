/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads a LimitRange from a manifest, and reports what the API server could not
 * decode.  validate.c checks the values.
 */
#include <stdlib.h>
#include <string.h>

#include <limen/duration.h>

#include "range.h"

const char *const range_list_names[LIST_COUNT] = {
	[LIST_MAX] = "max",
	[LIST_MIN] = "min",
	[LIST_DEFAULT] = "default",
	[LIST_DEFAULT_REQUEST] = "defaultRequest",
	[LIST_RATIO] = "maxLimitRequestRatio",
};

bool
range_read_type(range_reader *reader, limen_value value, limen_type type, const char *field)
{
	limen_type found = limen_value_type(value);

	if (found != type && found != LIMEN_TYPE_NONE && found != LIMEN_TYPE_NULL)
		REFUSE(reader, value, "%s: must be %s", field,
		       type == LIMEN_TYPE_STRING  ? "a string"
		       : type == LIMEN_TYPE_ARRAY ? "an array"
		                                  : "an object");
	return found == type;
}

/* Returns the text of a field, or "" if it was left out. */
static const char *
read_text(range_reader *reader, limen_value value, const char *field)
{
	return range_read_type(reader, value, LIMEN_TYPE_STRING, field)
	               ? limen_value_string(value, NULL)
	               : "";
}

static void
read_time(range_reader *reader, limit_range *range, limen_value value)
{
	const char *text = read_text(reader, value, "metadata.creationTimestamp");
	limen_timestamp time;

	if (*text == '\0')
		return;
	if (limen_timestamp_parse(text, strlen(text), 0, &time, NULL) != LIMEN_OK) {
		if (!reader->stored)
			REFUSE(reader, value, "metadata.creationTimestamp: must be a timestamp");
		return;
	}
	range->created = time.time;
	range->has_time = true;
}

static void
read_metadata(range_reader *reader, limit_range *range, limen_value metadata)
{
	limen_value namespace;

	if (!range_read_type(reader, metadata, LIMEN_TYPE_OBJECT, "metadata"))
		metadata = limen_value_none();
	namespace = limen_value_get(metadata, "namespace");
	range->name = read_text(reader, limen_value_get(metadata, "name"), "metadata.name");
	if (*range->name == '\0') {
		range->name = read_text(reader, limen_value_get(metadata, "generateName"),
		                        "metadata.generateName");
		range->generated = *range->name != '\0';
	}
	range->namespace = reader->namespace;
	if (range_read_type(reader, namespace, LIMEN_TYPE_STRING, "metadata.namespace") &&
	    !limen_value_is(namespace, ""))
		range->namespace = limen_value_string(namespace, NULL);
	read_time(reader, range, limen_value_get(metadata, "creationTimestamp"));
}

/*
 * Prints the quantities once: every message and every patch uses these texts.  Names are
 * written into documents as they are, so those that are not checked must be plain.
 */
static void
complete_list(range_reader *reader, resource_list *list, const char *field)
{
	for (size_t i = 0; i < list->count; i++) {
		resource *entry = &list->items[i];

		entry->text = limen_quantity_to_text(&entry->quantity);
		if (entry->text == NULL)
			reader->result = LIMEN_ENOMEM;
		if (reader->stored && !names_is_qualified(entry->name, entry->length))
			REFUSE(reader, entry->where,
			       "%s: \"%s\" is not the name of a resource", field, entry->name);
	}
}

static void
read_list(range_reader *reader, resource_list *list, limen_value map, const char *field)
{
	resource_problem problem;
	int result;

	if (!range_read_type(reader, map, LIMEN_TYPE_OBJECT, field) ||
	    limen_value_count(map) == 0)
		return;
	list->items = calloc(limen_value_count(map), sizeof *list->items);
	if (list->items == NULL) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	result = resource_list_read(list, map, &problem);
	if (result == LIMEN_EINVAL) {
		REFUSE(reader, problem.value,
		       "LimitRange in version \"v1\" cannot be handled as a LimitRange: %s",
		       problem.why);
		limen_diag_hint(reader->diag, "such as 500m, 2, 1G or 1Gi");
	} else if (result != LIMEN_OK) {
		reader->result = LIMEN_ENOMEM;
	} else {
		complete_list(reader, list, field);
	}
}

/*
 * Copies the first problem after 'before' others: only requests that a stored LimitRange
 * applies to report why it cannot be read.
 */
static void
take_problem(range_reader *reader, size_t before, char **problem)
{
	const char *text = "it cannot be read";

	if (!reader->stored || reader->result != LIMEN_ECONFIG)
		return;
	reader->result = LIMEN_OK;
	for (size_t i = limen_diag_count(reader->diag, LIMEN_SEVERITY_NOTE); i-- > before;) {
		const limen_problem *item = limen_diag_get(reader->diag, i);

		if (item->severity == LIMEN_SEVERITY_PROBLEM)
			text = item->text;
	}
	*problem = strdup(text);
	if (*problem == NULL)
		reader->result = LIMEN_ENOMEM;
}

static void
read_lists(range_reader *reader, range_item *item)
{
	size_t before = limen_diag_count(reader->diag, LIMEN_SEVERITY_NOTE);
	bool fine = reader->result == LIMEN_OK;
	char field[128];

	for (size_t list = 0; list < LIST_COUNT; list++) {
		const char *name = range_list_names[list];

		snprintf(field, sizeof field, "spec.limits[%zu].%s", item->index, name);
		read_list(reader, &item->lists[list], limen_value_get(item->where, name), field);
	}
	if (fine)
		take_problem(reader, before, &item->problem);
}

static void
read_item(range_reader *reader, range_item *item, limen_value object, size_t index)
{
	static const char *const types[] = { [ITEM_POD] = "Pod",
		                             [ITEM_CONTAINER] = "Container",
		                             [ITEM_CLAIM] = "PersistentVolumeClaim" };
	limen_value type = limen_value_get(object, "type");
	char field[128];

	*item = (range_item){
		.where = object,
		.index = index,
		.type_text = "",
		.defaulting = reader->defaulting,
		.report = reader->report,
	};
	snprintf(field, sizeof field, "spec.limits[%zu]", index);
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, object, "%s: must be an object", field);
		return;
	}
	snprintf(field, sizeof field, "spec.limits[%zu].type", index);
	if (range_read_type(reader, type, LIMEN_TYPE_STRING, field))
		item->type_text = limen_value_string(type, &item->type_length);
	for (size_t i = ITEM_POD; i <= ITEM_CLAIM; i++)
		if (limen_value_is(type, types[i]))
			item->type = (item_type)i;
	read_lists(reader, item);
}

static void
read_items(range_reader *reader, limit_range *range, limen_value spec)
{
	limen_value limits = limen_value_get(spec, "limits");
	limen_value object;

	if (!range_read_type(reader, spec, LIMEN_TYPE_OBJECT, "spec"))
		return;
	if (!range_read_type(reader, limits, LIMEN_TYPE_ARRAY, "spec.limits") ||
	    limen_value_count(limits) == 0)
		return;
	range->items = calloc(limen_value_count(limits), sizeof *range->items);
	if (range->items == NULL) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	for (limen_iter iter = limen_iter_start(limits); limen_iter_next(&iter, NULL, &object);) {
		read_item(reader, &range->items[range->count], object, range->count);
		range->items[range->count].violations = calloc(1, sizeof(atomic_uint_fast64_t));
		range->count++;
	}
}

static void
complete(range_reader *reader, limit_range *range, size_t before)
{
	bool broken = range->problem != NULL;

	if (range_default(range) != LIMEN_OK) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	for (size_t i = 0; i < range->count; i++)
		broken = broken || range->items[i].problem != NULL;
	reader->set->broken += broken;
	if (!reader->stored)
		range_validate(reader, range);
	if ((reader->stored || limen_diag_count(reader->diag, LIMEN_SEVERITY_PROBLEM) == before) &&
	    range_prepare(range) != LIMEN_OK)
		reader->result = LIMEN_ENOMEM;
}

void
range_read(range_reader *reader, limen_value object)
{
	size_t before = limen_diag_count(reader->diag, LIMEN_SEVERITY_PROBLEM);
	size_t lines = limen_diag_count(reader->diag, LIMEN_SEVERITY_NOTE);
	limit_range *range = range_set_add(reader->set);

	if (range == NULL) {
		reader->result = LIMEN_ENOMEM;
		return;
	}
	range->where = object;
	read_metadata(reader, range, limen_value_get(object, "metadata"));
	read_items(reader, range, limen_value_get(object, "spec"));
	take_problem(reader, lines, &range->problem);
	range_annotations_read(reader, range);
	/* A LimitRange that cannot be decoded gets neither defaults nor checks. */
	if (reader->result != LIMEN_ENOMEM &&
	    (reader->stored || limen_diag_count(reader->diag, LIMEN_SEVERITY_PROBLEM) == before))
		complete(reader, range, before);
	if (!reader->stored)
		range_check_fields(reader, object);
}
