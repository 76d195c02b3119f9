/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - CardinalList and CardinalZeroList: {"match": [2, 4, 6]}.  The
 * parameter may be one integer or a list of them, each of which must be (or,
 * inverted, must not be) listed.
 */
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

static int
read_items(struct list *list, limen_value match, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(match);
	limen_value element;
	int result = LIMEN_OK;

	while (limen_iter_next(&iter, NULL, &element)) {
		int64_t item;

		if (limen_value_int(element, &item) && item >= 0)
			list->items[list->count++] = item;
		else
			result = parameter_reject(diag, element, "must be an integer of 0 or more");
	}
	return result;
}

static int
open_list(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value match = limen_value_get(limit, "match");
	struct list *list = malloc(sizeof *list + limen_value_count(match) * sizeof *list->items);
	int result;

	if (list == NULL)
		return parameter_exhausted(diag);
	list->count = 0;
	if (limen_value_count(match) == 0)
		limen_diag_add(diag, LIMEN_WARNING, match, "is empty, so no value matches it");
	result = read_items(list, match, diag);
	if (result != LIMEN_OK) {
		free(list);
		return result;
	}
	qsort(list->items, list->count, sizeof *list->items, compare_items);
	param->state = list;
	param->kind = KIND_LIST;
	return LIMEN_OK;
}

static limen_verdict
judge_item(const parameter *param, limen_value value, limen_reply *reply)
{
	const struct list *list = param->state;
	int64_t item;
	bool listed;

	if (!limen_value_int(value, &item))
		return parameter_unusable(param, "is not an integer", reply);
	listed = bsearch(&item, list->items, list->count, sizeof item, compare_items) != NULL;
	return parameter_verdict(param, listed, "not within limit", reply);
}

static limen_verdict
check_list(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	(void)spec;
	return parameter_each(param, value, judge_item, reply);
}

const shape list_shape = {
	.invertible = true,
	.open = open_list,
	.check = check_list,
};
