/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conflicts.c - warnings about LimitRanges of one namespace, which
 * Kubernetes never holds against each other: bounds that leave no room, defaults
 * that never count, and defaults that another one refuses.
 */
#include <string.h>

#include "../range/range.h"

/*
 * Cap on the LimitRanges of a namespace that are compared, in order of precedence: pairs
 * and warnings grow with the square.
 */
#define COMPARED_MAX 100

/* An item and where it stands. */
typedef struct place {
	const limit_range *range;
	const range_item *item;
} place;

/* A namespace's LimitRanges, in the order in which they count. */
typedef struct group {
	const limit_range *first;
	limen_diag *diag;
} group;

/* Is 'value' not NULL and on the wrong side of 'bound'? */
static bool
is_beyond(const resource *value, const resource *bound, int wrong)
{
	return value != NULL && bound != NULL &&
	       limen_quantity_compare(&value->quantity, &bound->quantity) == wrong;
}

/* Warns of each resource whose min in 'low' is above its max in 'high'. */
static void
warn_of_gap(const group *in, const place *low, const place *high)
{
	const char *whom = high->item->type == low->item->type ? "" : " of pods";

	for (size_t i = 0; i < low->item->lists[LIST_MIN].count; i++) {
		const resource *min = &low->item->lists[LIST_MIN].items[i];
		const resource *max = range_item_find(high->item, LIST_MAX, min);

		if (!is_beyond(min, max, 1))
			continue;
		limen_diag_add(in->diag, LIMEN_SEVERITY_WARNING, min->where,
		               "spec.limits[%zu].min[%s]: %s is above the max %s%s of LimitRange "
		               "\"%s\" in the same namespace, so nothing can be admitted",
		               low->item->index, min->name, min->text, max->text, whom,
		               high->range->name);
	}
}

static void
warn_of_lost(const group *in, const place *first, const place *later, size_t list)
{
	for (size_t i = 0; i < later->item->lists[list].count; i++) {
		const resource *lost = &later->item->lists[list].items[i];
		const resource *wins = range_item_find(first->item, list, lost);

		if (wins == NULL || limen_quantity_compare(&lost->quantity, &wins->quantity) == 0)
			continue;
		limen_diag_add(in->diag, LIMEN_SEVERITY_WARNING, lost->where,
		               "spec.limits[%zu].%s[%s]: %s is never used, because LimitRange "
		               "\"%s\" in the same namespace comes first and says %s",
		               later->item->index, range_list_names[list], lost->name, lost->text,
		               first->range->name, wins->text);
	}
}

/* Returns true if no LimitRange before 'giver' has this default. */
static bool
is_used(const group *in, const place *giver, size_t list, const resource *value)
{
	for (const limit_range *element = in->first; element < giver->range; element++) {
		for (size_t i = 0; i < element->count; i++)
			if (element->items[i].type == ITEM_CONTAINER &&
			    !range_item_is_narrow(&element->items[i]) &&
			    range_item_find(&element->items[i], list, value) != NULL)
				return false;
	}
	return giver->item->defaulting == DEFAULTING_UPSTREAM;
}

static void
warn_of_refused(const group *in, const place *giver, size_t list, const place *judge,
                size_t bound, const resource *value)
{
	const resource *limit = range_item_find(judge->item, bound, value);
	bool of_pods = judge->item->type == ITEM_POD;

	/* warn_of_gap() reports two items whose min and max contradict. */
	if (!is_beyond(value, limit, bound == LIST_MAX ? 1 : -1) ||
	    is_beyond(range_item_find(giver->item, LIST_MIN, value),
	              range_item_find(judge->item, LIST_MAX, value), 1) ||
	    is_beyond(range_item_find(judge->item, LIST_MIN, value),
	              range_item_find(giver->item, LIST_MAX, value), 1) ||
	    !is_used(in, giver, list, value))
		return;
	limen_diag_add(in->diag, LIMEN_SEVERITY_WARNING, value->where,
	               "spec.limits[%zu].%s[%s]: %s is %s the %s %s%s of LimitRange \"%s\" in the "
	               "same namespace, so a container without resources is refused",
	               giver->item->index, range_list_names[list], value->name, value->text,
	               bound == LIST_MAX ? "above" : "below", range_list_names[bound], limit->text,
	               of_pods ? " of pods" : "", judge->range->name);
}

/*
 * Warns of defaults that 'judge' refuses.  A default request is never above the default
 * limit, so one warning is enough.  A pod may have more containers, so only a bound that
 * one container exceeds is certain to refuse.
 */
static void
check_given(const group *in, const place *giver, const place *judge)
{
	const resource_list *limits = &giver->item->lists[LIST_DEFAULT];
	const resource_list *requests = &giver->item->lists[LIST_DEFAULT_REQUEST];

	for (size_t i = 0; i < limits->count; i++)
		warn_of_refused(in, giver, LIST_DEFAULT, judge, LIST_MAX, &limits->items[i]);
	for (size_t i = 0; i < requests->count; i++) {
		const resource *element = &requests->items[i];

		if (range_item_find(giver->item, LIST_DEFAULT, element) == NULL)
			warn_of_refused(in, giver, LIST_DEFAULT_REQUEST, judge, LIST_MAX, element);
		if (judge->item->type == ITEM_CONTAINER)
			warn_of_refused(in, giver, LIST_DEFAULT_REQUEST, judge, LIST_MIN, element);
	}
}

static void
check_ratio(const group *in, const place *giver, const place *judge)
{
	for (size_t i = 0; i < judge->item->lists[LIST_RATIO].count; i++) {
		const resource *ratio = &judge->item->lists[LIST_RATIO].items[i];
		const resource *limit = range_item_find(giver->item, LIST_DEFAULT, ratio);
		const resource *request = range_item_find(giver->item, LIST_DEFAULT_REQUEST, ratio);
		int order = 0;

		if (limit == NULL || request == NULL ||
		    limen_quantity_compare_product(&limit->quantity, &request->quantity,
		                                   &ratio->quantity, &order) != LIMEN_OK ||
		    order <= 0 || !is_used(in, giver, LIST_DEFAULT, limit))
			continue;
		limen_diag_add(in->diag, LIMEN_SEVERITY_WARNING, ratio->where,
		               "spec.limits[%zu].maxLimitRequestRatio[%s]: the default limit %s "
		               "and the default request %s of LimitRange \"%s\" in the same "
		               "namespace break the ratio %s",
		               judge->item->index, ratio->name, limit->text, request->text,
		               giver->range->name, ratio->text);
	}
}

/* Checks the min and the defaults of 'low' against 'high', of the same type or of pods. */
static void
check_one_way(const group *in, const place *low, const place *high)
{
	if (low->item->type == high->item->type)
		warn_of_gap(in, low, high);
	if (low->item->type != ITEM_CONTAINER)
		return;
	if (high->item->type == ITEM_POD) {
		warn_of_gap(in, low, high);
		check_given(in, low, high);
	} else if (high->item->type == ITEM_CONTAINER) {
		check_given(in, low, high);
		check_ratio(in, low, high);
	}
}

/* Skips narrow items, which may apply to different objects. */
static void
check_pair(const group *in, const place *first, const place *later)
{
	if (range_item_is_narrow(first->item) || range_item_is_narrow(later->item))
		return;
	check_one_way(in, first, later);
	check_one_way(in, later, first);
	if (first->item->type != ITEM_CONTAINER || later->item->type != ITEM_CONTAINER)
		return;
	warn_of_lost(in, first, later, LIST_DEFAULT);
	warn_of_lost(in, first, later, LIST_DEFAULT_REQUEST);
}

static void
check_ranges(const group *in, const limit_range *first, const limit_range *later)
{
	for (size_t i = 0; i < first->count; i++) {
		if (first->items[i].type == ITEM_OTHER)
			continue;
		/* Within one LimitRange, compare each pair once; its items have different types. */
		for (size_t j = first == later ? i + 1 : 0; j < later->count; j++)
			check_pair(in, &(place){ first, &first->items[i] },
			           &(place){ later, &later->items[j] });
	}
}

void
range_conflicts(const range_set *set, size_t index, limen_diag *diag)
{
	const limit_range *later = &set->ranges[index];
	group in = { .first = later, .diag = diag };

	/* A wide LimitRange is only compared with itself: its namespaces are not known here. */
	while (!later->wide && in.first > set->ranges &&
	       strcmp(in.first[-1].namespace, later->namespace) == 0) {
		in.first--;
		if (later - in.first == COMPARED_MAX)
			return;
	}
	for (const limit_range *item = later; item >= in.first; item--)
		check_ranges(&in, item, later);
}
