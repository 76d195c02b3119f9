/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - CardinalList and CardinalZeroList: {"match": [2, 4, 6]}, IPVersion: {"match": 6}, and
 * IPVersionList: {"enumeration": [4, 6]}.  The parameter may be one integer or a list of them,
 * each of which must be (or, inverted, must not be) listed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parameter.h"

/* In ascending order, so that a long list in a test costs no more than its length. */
struct list {
	size_t count;
	int64_t items[];
};

static int
compare_items(const void *a, const void *b)
{
	const int64_t *left = a;
	const int64_t *right = b;

	return (*left > *right) - (*left < *right);
}

static bool
read_version(limen_value value, int64_t *out)
{
	return limen_value_int(value, out) && (*out == 4 || *out == 6);
}

static int
read_item(const parameter *param, struct list *list, limen_value value, limen_diag *diag)
{
	int64_t *item = &list->items[list->count];
	bool versions = param->shape == &version_shape;

	if (versions ? read_version(value, item) : limen_value_int(value, item) && *item >= 0) {
		list->count++;
		return LIMEN_OK;
	}
	return parameter_reject(diag, value, versions ? "must be an IP version, 4 or 6"
	                                              : "must be an integer of 0 or more");
}

/* 'value' is a list, or one item. */
static int
open_items(parameter *param, limen_value value, limen_diag *diag)
{
	bool many = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	size_t count = many ? limen_value_count(value) : 1;
	struct list *list = malloc(sizeof *list + (count + 1) * sizeof *list->items);
	limen_iter iter = limen_iter_start(value);
	limen_value item = value;
	int result = LIMEN_OK;

	if (list == NULL)
		return LIMEN_ENOMEM;
	list->count = 0;
	if (count == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, value,
		               "is empty, so no value matches it");
	for (size_t i = 0; i < count; i++) {
		if (many)
			limen_iter_next(&iter, NULL, &item);
		result = parameter_first(result, read_item(param, list, item, diag));
	}
	if (result != LIMEN_OK) {
		free(list);
		return result;
	}
	qsort(list->items, list->count, sizeof *list->items, compare_items);
	param->state = list;
	return LIMEN_OK;
}

/* A list of versions is an enumeration, and one version a match. */
static int
open_list(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value match = limen_value_get(limit, "match");
	limen_value list = limen_value_get(limit, "enumeration");

	if (limen_value_exists(match))
		return open_items(param, match, diag);
	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return parameter_reject(diag, list, "must be a list of IP versions, 4 and 6");
	return open_items(param, list, diag);
}

static bool
has_item(const parameter *param, int64_t item)
{
	const struct list *list = param->state;

	return bsearch(&item, list->items, list->count, sizeof item, compare_items) != NULL;
}

static limen_verdict
judge_item(const parameter *param, limen_value value, limen_reply *reply)
{
	int64_t item;

	if (!limen_value_int(value, &item))
		return parameter_unusable(param, "is not an integer", reply);
	return parameter_verdict(param, has_item(param, item), "not within limit", reply);
}

static limen_verdict
judge_version(const parameter *param, limen_value value, limen_reply *reply)
{
	int64_t version;
	char text[64];

	if (!read_version(value, &version))
		return parameter_unusable(param, "is not an IP version, 4 or 6", reply);
	snprintf(text, sizeof text, "IPv%" PRId64 " is not allowed", version);
	return parameter_verdict(param, has_item(param, version), text, reply);
}

static limen_verdict
check_list(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	(void)spec;
	return parameter_each(param, value,
	                      param->shape == &version_shape ? judge_version : judge_item, reply);
}

const shape list_shape = {
	.kind = KIND_LIST,
	.invertible = true,
	.open = open_list,
	.check = check_list,
};

const shape version_shape = {
	.kind = KIND_VERSION,
	.invertible = true,
	.open = open_list,
	.check = check_list,
};
