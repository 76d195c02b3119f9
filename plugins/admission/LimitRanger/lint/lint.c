/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lint.c - warnings about LimitRanges that Kubernetes accepts without a
 * word: what surprises people in one of them.  conflicts.c has what those
 * of one namespace do together.
 */
#include <string.h>

#include "../range/range.h"

static void
warn_of_null(const range_item *item, size_t list, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[list].count; i++) {
		const resource *element = &item->lists[list].items[i];

		if (!element->borrowed && limen_value_type(element->where) == LIMEN_TYPE_NULL)
			limen_diag_add(diag, LIMEN_SEVERITY_WARNING, element->where,
			               "spec.limits[%zu].%s[%s]: no value, which counts as 0",
			               item->index, range_list_names[list], element->name);
	}
}

static void
warn_of_max(const range_item *item, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[LIST_MAX].count; i++) {
		const resource *max = &item->lists[LIST_MAX].items[i];
		bool common = names_may_overcommit(max->name, max->length);
		const resource *limit = range_item_find(item, LIST_DEFAULT, max);

		/* A default that was made from "max" has its place. */
		if (limit == NULL || limit->where.node != max->where.node)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, max->where,
		               "spec.limits[%zu].max[%s]: %s without a value is given %s, because "
		               "there is no default",
		               item->index, max->name, common ? "a container" : "every container",
		               max->text);
		limen_diag_hint(diag, "write \"default\" and \"defaultRequest\" for %s", max->name);
	}
}

static void
warn_of_ratio(const range_item *item, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[LIST_RATIO].count; i++) {
		const resource *ratio = &item->lists[LIST_RATIO].items[i];
		const resource *limit = range_item_find(item, LIST_DEFAULT, ratio);
		const resource *request = range_item_find(item, LIST_DEFAULT_REQUEST, ratio);
		int order = 0;

		if (limit == NULL || request == NULL ||
		    limen_quantity_compare_product(&limit->quantity, &request->quantity,
		                                   &ratio->quantity, &order) != LIMEN_OK ||
		    order <= 0)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, ratio->where,
		               "spec.limits[%zu].maxLimitRequestRatio[%s]: the default limit %s "
		               "and the default request %s break the ratio %s",
		               item->index, ratio->name, limit->text, request->text, ratio->text);
	}
}

/* Units that Kubernetes accepts for every resource and that fit only others. */
static const struct {
	const char *name;
	const char *units; /* the last letter of a text that is a slip */
	const char *hint;
} slips[] = {
	{ "cpu", "kMGTPEi", "for thousandths of a CPU, write m" },
	{ "memory", "m", "for mebibytes, write Mi" },
	{ "ephemeral-storage", "m", "for mebibytes, write Mi" },
	{ "storage", "m", "for mebibytes, write Mi" },
};

static void
warn_of_unit(const range_item *item, size_t list, limen_diag *diag)
{
	for (size_t i = 0; list != LIST_RATIO && i < item->lists[list].count; i++) {
		const resource *value = &item->lists[list].items[i];
		size_t length = 0;
		const char *text = limen_value_string(value->where, &length);

		/* A copy that was filled in has the text of another list. */
		for (size_t k = 0; !value->borrowed && text != NULL && k < sizeof slips / sizeof *slips; k++) {
			if (strcmp(value->name, slips[k].name) != 0 || length < 2 ||
			    strchr(slips[k].units, text[length - 1]) == NULL)
				continue;
			limen_diag_add(diag, LIMEN_SEVERITY_WARNING, value->where,
			               "spec.limits[%zu].%s[%s]: %s is an unusual amount of %s",
			               item->index, range_list_names[list], value->name, text,
			               value->name);
			limen_diag_hint(diag, "%s", slips[k].hint);
		}
	}
}

/* The API server refuses containers with hugepages and neither cpu nor memory. */
static void
warn_of_hugepages(const range_item *item, limen_diag *diag)
{
	const resource_list *defaults = &item->lists[LIST_DEFAULT];
	const resource *huge = NULL;

	for (size_t i = 0; i < defaults->count; i++) {
		const resource *value = &defaults->items[i];

		if (strcmp(value->name, "cpu") == 0 || strcmp(value->name, "memory") == 0)
			return;
		if (names_is_hugepages(value->name, value->length))
			huge = value;
	}
	if (huge != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, huge->where,
		               "spec.limits[%zu].default[%s]: the API server will answer 422 for "
		               "containers without cpu and memory: give one of them a default",
		               item->index, huge->name);
}

static void
lint_item(const range_item *item, limen_diag *diag)
{
	if (range_item_size(item) == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, item->where,
		               "spec.limits[%zu] limits nothing, because it has no values",
		               item->index);
	for (size_t list = 0; list < LIST_COUNT; list++) {
		warn_of_null(item, list, diag);
		warn_of_unit(item, list, diag);
	}
	if (item->type != ITEM_CONTAINER || item->defaulting != DEFAULTING_UPSTREAM)
		return;
	warn_of_max(item, diag);
	warn_of_ratio(item, diag);
	warn_of_hugepages(item, diag);
}

static void
lint_range(const limit_range *range, limen_diag *diag)
{
	if (range->count == 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, range->where,
		               "LimitRange \"%s\" limits nothing, because its spec.limits is empty",
		               range->name);
		return;
	}
	for (size_t i = 0; i < range->count; i++)
		lint_item(&range->items[i], diag);
}

void
range_lint(const range_set *set, limen_diag *diag)
{
	for (size_t i = 0; i < set->count; i++) {
		lint_range(&set->ranges[i], diag);
		range_conflicts(set, i, diag);
	}
}
