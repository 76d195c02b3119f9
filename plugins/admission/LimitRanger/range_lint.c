/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_lint.c - warnings about LimitRanges that Kubernetes accepts without a
 * word: what surprises people in one of them, and what two of one namespace
 * make impossible together.
 */
#include <string.h>

#include "names.h"
#include "range.h"

/* An item and where it stands. */
typedef struct place {
	const limit_range *range;
	const range_item *item;
} place;

static const resource *
find(const range_item *item, size_t list, const resource *named)
{
	return resource_list_find(&item->lists[list], named->name, named->length);
}

static void
warn_of_null(const range_item *item, size_t list, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[list].count; i++) {
		const resource *one = &item->lists[list].items[i];

		if (limen_value_type(one->where) == LIMEN_TYPE_NULL)
			limen_diag_add(diag, LIMEN_WARNING, one->where,
			               "spec.limits[%zu].%s[%s]: no value, which counts as 0",
			               item->index, range_list_names[list], one->name);
	}
}

/* Was the default made from "max"?  Then it has its place. */
static bool
is_made_default(const range_item *item, const resource *max)
{
	const resource *limit = find(item, LIST_DEFAULT, max);

	return limit != NULL && limit->where.node == max->where.node;
}

static void
warn_of_max(const range_item *item, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[LIST_MAX].count; i++) {
		const resource *max = &item->lists[LIST_MAX].items[i];
		bool common = names_may_overcommit(max->name, max->length);

		if (!is_made_default(item, max))
			continue;
		limen_diag_add(diag, LIMEN_WARNING, max->where,
		               "spec.limits[%zu].max[%s]: %s that says nothing is given %s, "
		               "because there is no default",
		               item->index, max->name, common ? "a container" : "every container",
		               max->text);
		limen_diag_hint(diag, "write \"default\" and \"defaultRequest\" for %s",
		                max->name);
	}
}

static void
warn_of_ratio(const range_item *item, limen_diag *diag)
{
	for (size_t i = 0; i < item->lists[LIST_RATIO].count; i++) {
		const resource *ratio = &item->lists[LIST_RATIO].items[i];
		const resource *limit = find(item, LIST_DEFAULT, ratio);
		const resource *request = find(item, LIST_DEFAULT_REQUEST, ratio);
		int order = 0;

		if (limit == NULL || request == NULL ||
		    limen_quantity_compare_product(&limit->quantity, &request->quantity,
		                                   &ratio->quantity, &order) != LIMEN_OK ||
		    order <= 0)
			continue;
		limen_diag_add(diag, LIMEN_WARNING, ratio->where,
		               "spec.limits[%zu].maxLimitRequestRatio[%s]: the default limit %s "
		               "and the default request %s break the ratio %s",
		               item->index, ratio->name, limit->text, request->text, ratio->text);
	}
}

static void
lint_item(const range_item *item, limen_diag *diag)
{
	for (size_t list = 0; list < LIST_COUNT; list++)
		warn_of_null(item, list, diag);
	if (item->type != ITEM_CONTAINER)
		return;
	warn_of_max(item, diag);
	warn_of_ratio(item, diag);
}

/* No value is at least the one's min and at most the other's max. */
static void
warn_of_gap(const place *low, const place *high, limen_diag *diag)
{
	for (size_t i = 0; i < low->item->lists[LIST_MIN].count; i++) {
		const resource *min = &low->item->lists[LIST_MIN].items[i];
		const resource *max = find(high->item, LIST_MAX, min);

		if (max == NULL || limen_quantity_compare(&min->quantity, &max->quantity) <= 0)
			continue;
		limen_diag_add(diag, LIMEN_WARNING, min->where,
		               "spec.limits[%zu].min[%s]: %s is above the max %s of LimitRange "
		               "\"%s\" in the same namespace, so nothing can be admitted",
		               low->item->index, min->name, min->text, max->text,
		               high->range->name);
	}
}

static void
warn_of_defaults(const place *first, const place *later, size_t list, limen_diag *diag)
{
	for (size_t i = 0; i < later->item->lists[list].count; i++) {
		const resource *lost = &later->item->lists[list].items[i];
		const resource *wins = find(first->item, list, lost);

		if (wins == NULL || limen_quantity_compare(&lost->quantity, &wins->quantity) == 0)
			continue;
		limen_diag_add(diag, LIMEN_WARNING, lost->where,
		               "spec.limits[%zu].%s[%s]: %s is never used, because LimitRange "
		               "\"%s\" in the same namespace comes first and says %s",
		               later->item->index, range_list_names[list], lost->name, lost->text,
		               first->range->name, wins->text);
	}
}

static void
lint_items(const place *first, const place *later, limen_diag *diag)
{
	if (first->item->type != later->item->type || first->item->type == ITEM_OTHER)
		return;
	warn_of_gap(first, later, diag);
	warn_of_gap(later, first, diag);
	if (first->item->type != ITEM_CONTAINER)
		return;
	warn_of_defaults(first, later, LIST_DEFAULT, diag);
	warn_of_defaults(first, later, LIST_DEFAULT_REQUEST, diag);
}

static void
lint_pair(const limit_range *first, const limit_range *later, limen_diag *diag)
{
	for (size_t i = 0; i < first->count; i++) {
		for (size_t j = 0; j < later->count; j++)
			lint_items(&(place){ first, &first->items[i] },
			           &(place){ later, &later->items[j] }, diag);
	}
}

/* Selectors of items would narrow them; without them more is refused, not less. */
static void
warn_of_selectors(const limit_range *range, limen_diag *diag)
{
	limen_value metadata = limen_value_get(range->where, "metadata");
	limen_value annotations = limen_value_get(metadata, "annotations");
	limen_value items = limen_value_get(annotations, "limen.policy/items");

	if (limen_value_exists(items))
		limen_diag_add(diag, LIMEN_WARNING, items,
		               "metadata.annotations[limen.policy/items]: is not supported, so "
		               "every item applies to everything of its type");
}

static void
lint_range(const limit_range *range, limen_diag *diag)
{
	warn_of_selectors(range, diag);
	if (range->count == 0) {
		limen_diag_add(diag, LIMEN_WARNING, range->where,
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
		const limit_range *range = &set->ranges[i];

		lint_range(range, diag);
		for (size_t j = 1; j <= i; j++) {
			if (strcmp(range[-(ptrdiff_t)j].namespace, range->namespace) != 0)
				break;
			lint_pair(&range[-(ptrdiff_t)j], range, diag);
		}
	}
}
