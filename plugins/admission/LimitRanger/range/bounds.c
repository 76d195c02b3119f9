/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds.c - what an item says about one resource must not contradict
 * itself: the last part of core/v1 validation.ValidateLimitRange.
 */
#include "range.h"

/* One resource of an item; values that were not given are NULL. */
typedef struct bounds {
	range_reader *reader;
	const range_item *item;
	const resource *key;
	const resource *values[LIST_COUNT];
} bounds;

/* "LOW is greater than HIGH": two lists, which of them is shown and at which field. */
typedef struct rule {
	size_t low;
	size_t high;
	size_t field;
	size_t shown;
	const char *low_name;
	const char *high_name;
} rule;

static const rule rules[] = {
	{ LIST_MIN, LIST_MAX, LIST_MIN, LIST_MIN, "min", "max" },
	{ LIST_MIN, LIST_DEFAULT_REQUEST, LIST_DEFAULT_REQUEST, LIST_DEFAULT_REQUEST, "min",
	  "default request" },
	{ LIST_DEFAULT_REQUEST, LIST_MAX, LIST_DEFAULT_REQUEST, LIST_DEFAULT_REQUEST,
	  "default request", "max" },
	{ LIST_DEFAULT_REQUEST, LIST_DEFAULT, LIST_DEFAULT_REQUEST, LIST_DEFAULT_REQUEST,
	  "default request", "default limit" },
	/* Kubernetes shows the other value here. */
	{ LIST_MIN, LIST_DEFAULT, LIST_DEFAULT, LIST_MIN, "min", "default" },
	{ LIST_DEFAULT, LIST_MAX, LIST_DEFAULT, LIST_MAX, "default", "max" },
};

static void
check_rule(const bounds *about, const rule *at)
{
	const resource *low = about->values[at->low];
	const resource *high = about->values[at->high];

	if (low == NULL || high == NULL ||
	    limen_quantity_compare(&low->quantity, &high->quantity) <= 0)
		return;
	REFUSE(about->reader, about->values[at->field]->where,
	       "spec.limits[%zu].%s[%s]: Invalid value: \"%s\": "
	       "%s value %s is greater than %s value %s",
	       about->item->index, range_list_names[at->field], about->key->name,
	       about->values[at->shown]->text, at->low_name, low->text, at->high_name, high->text);
}

/*
 * Is the ratio above max / min?  Upstream divides in floating point, which says
 * "no" for a min of 0; the product is exact.  Where a product is too long to
 * tell, the answer is yes, so that nothing unchecked is accepted.
 */
static bool
is_above_quotient(const resource *ratio, const resource *max, const resource *min)
{
	int signs = limen_quantity_sign(&max->quantity) * limen_quantity_sign(&min->quantity);
	int order = -1;

	if (limen_quantity_sign(&min->quantity) == 0)
		return false;
	if (signs <= 0)
		return limen_quantity_sign(&ratio->quantity) > 0;
	if (limen_quantity_sign(&ratio->quantity) <= 0)
		return false;
	if (limen_quantity_compare_product(&max->quantity, &min->quantity, &ratio->quantity,
	                                   &order) != LIMEN_OK)
		return true;
	return order < 0;
}

static void
check_ratio(const bounds *about)
{
	const resource *ratio = about->values[LIST_RATIO];
	const resource *max = about->values[LIST_MAX];
	const resource *min = about->values[LIST_MIN];
	limen_quantity one = limen_quantity_from_int(1, LIMEN_QUANTITY_DECIMAL_SI);
	char quotient[LIMEN_QUANTITY_RATIO_MAX] = "?";

	if (ratio == NULL)
		return;
	if (limen_quantity_compare(&ratio->quantity, &one) < 0)
		REFUSE(about->reader, ratio->where,
		       "spec.limits[%zu].maxLimitRequestRatio[%s]: Invalid value: \"%s\": "
		       "ratio %s is less than 1",
		       about->item->index, about->key->name, ratio->text, ratio->text);
	if (max == NULL || min == NULL || !is_above_quotient(ratio, max, min))
		return;
	limen_quantity_print_ratio(&max->quantity, &min->quantity, quotient);
	REFUSE(about->reader, ratio->where,
	       "spec.limits[%zu].maxLimitRequestRatio[%s]: Invalid value: \"%s\": "
	       "ratio %s is greater than max/min = %s",
	       about->item->index, about->key->name, ratio->text, ratio->text, quotient);
}

static void
check_overcommit(const bounds *about)
{
	const resource *limit = about->values[LIST_DEFAULT];
	const resource *request = about->values[LIST_DEFAULT_REQUEST];

	if (limit == NULL || request == NULL ||
	    names_may_overcommit(about->key->name, about->key->length) ||
	    limen_quantity_compare(&limit->quantity, &request->quantity) == 0)
		return;
	REFUSE(about->reader, request->where,
	       "spec.limits[%zu].defaultRequest[%s]: Invalid value: \"%s\": "
	       "default value %s must equal to defaultRequest value %s in %s",
	       about->item->index, about->key->name, request->text, limit->text,
	       request->text, about->key->name);
}

/* Returns the resource at the cursor of a list, or NULL at its end. */
static const resource *
get_at(const range_item *item, const size_t *cursors, size_t list)
{
	/* Pods have no defaults; that they are forbidden has been said. */
	if (item->type == ITEM_POD && (list == LIST_DEFAULT || list == LIST_DEFAULT_REQUEST))
		return NULL;
	return cursors[list] < item->lists[list].count ? &item->lists[list].items[cursors[list]]
	                                               : NULL;
}

/* Returns the resource with the first name at the cursors of all lists, or NULL. */
static const resource *
find_next(const range_item *item, const size_t *cursors)
{
	const resource *next = NULL;

	for (size_t list = 0; list < LIST_COUNT; list++) {
		const resource *here = get_at(item, cursors, list);

		if (here != NULL && (next == NULL || resource_compare(here, next) < 0))
			next = here;
	}
	return next;
}

void
range_check_bounds(range_reader *reader, const range_item *item)
{
	size_t cursors[LIST_COUNT] = { 0 };
	const resource *key = find_next(item, cursors);

	for (; key != NULL; key = find_next(item, cursors)) {
		bounds about = { .reader = reader, .item = item, .key = key };

		for (size_t list = 0; list < LIST_COUNT; list++) {
			const resource *here = get_at(item, cursors, list);

			if (here == NULL || resource_compare(here, key) != 0)
				continue;
			about.values[list] = here;
			cursors[list]++;
		}
		for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
			check_rule(&about, &rules[i]);
		check_ratio(&about);
		check_overcommit(&about);
	}
}
