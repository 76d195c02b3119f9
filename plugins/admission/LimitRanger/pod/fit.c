/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.c - whether a pod that was just given its defaults keeps all bounds: most do,
 * and then nobody has to read it again.  Of what does not, enforce.c says why.
 */
#include "constraint.h"

typedef bool (*constraint_test)(const limen_quantity *const values[SIDE_COUNT],
                                const resource *bound);

static const struct {
	size_t list;
	constraint_test holds;
} constraints[] = {
	{ LIST_MIN, constraint_min_holds },
	{ LIST_MAX, constraint_max_holds },
	{ LIST_RATIO, constraint_ratio_holds },
};

#define CONSTRAINT_COUNT (sizeof constraints / sizeof constraints[0])

static bool
has_all(const container *one, side which, const resource_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (container_value(one, which, &list->items[i]) == NULL)
			return false;
	}
	return true;
}

static bool
is_within(const container *one, const resource_list *bounds, constraint_test holds, work *done)
{
	for (size_t i = 0; i < bounds->count; i++) {
		const resource *bound = &bounds->items[i];
		const limen_quantity *values[SIDE_COUNT];

		for (unsigned side_of = 0; side_of < SIDE_COUNT; side_of++)
			values[side_of] = container_value(one, (side)side_of, bound);
		if (!charge_lengthy(done, bound) || !holds(values, bound))
			return false;
	}
	return true;
}

static bool
container_fits(const container *one, const range_item *item, work *done)
{
	if (item->defaulting == DEFAULTING_REQUIRE &&
	    !(has_all(one, SIDE_REQUEST, &item->lists[LIST_DEFAULT_REQUEST]) &&
	      has_all(one, SIDE_LIMIT, &item->lists[LIST_DEFAULT])))
		return false;
	for (size_t i = 0; i < CONSTRAINT_COUNT; i++) {
		if (!is_within(one, &item->lists[constraints[i].list], constraints[i].holds, done))
			return false;
	}
	return true;
}

/* What is the same for all of these was found out when the policy was loaded. */
static bool
has_own_defaults(const container *one, const range_item *item)
{
	return item->keeps_own && one->from[SIDE_REQUEST] == item && one->from[SIDE_LIMIT] == item;
}

bool
defaults_fit(const range_item *item)
{
	container one = { .init = false };
	work whatever = { .next = UINT64_MAX };

	for (size_t i = 0; i < SIDE_COUNT; i++)
		one.given.lists[i] = item->lists[range_defaults[i]];
	return container_fits(&one, item, &whatever);
}

/* How many bounds and defaults an item has. */
static size_t
item_size(const range_item *item)
{
	size_t sum = 0;

	for (size_t i = 0; i < LIST_COUNT; i++)
		sum += item->lists[i].count;
	return sum;
}

static bool
containers_fit(const pod *whole, const range_item *item, work *done)
{
	size_t bounds = item_size(item);

	if (!work_charge(done, whole->count))
		return false;
	for (size_t i = 0; i < whole->count; i++) {
		const container *one = &whole->containers[i];

		if (!has_own_defaults(one, item) && item_has_container(item, one, done) &&
		    (!work_charge(done, bounds * container_cost(one)) ||
		     !container_fits(one, item, done)))
			return false;
	}
	return true;
}

static bool
total_fits(const pod *whole, const resource *bound, constraint_test holds, work *done)
{
	limen_quantity totals[SIDE_COUNT];
	const limen_quantity *values[SIDE_COUNT];
	bool known = true;
	bool fits;

	for (unsigned i = 0; i < SIDE_COUNT; i++) {
		int result = pod_total(whole, (side)i, bound, done, &totals[i]);

		values[i] = result == LIMEN_OK ? &totals[i] : NULL;
		known = known && (result == LIMEN_OK || result == LIMEN_ENOENT);
	}
	fits = known && charge_compared(done, bound, values) && holds(values, bound);
	for (unsigned i = 0; i < SIDE_COUNT; i++) {
		if (values[i] != NULL)
			limen_quantity_clear(&totals[i]);
	}
	return fits;
}

static bool
totals_fit(const pod *whole, const range_item *item, work *done)
{
	for (size_t i = 0; i < CONSTRAINT_COUNT; i++) {
		const resource_list *bounds = &item->lists[constraints[i].list];

		for (size_t j = 0; j < bounds->count; j++) {
			if (!work_charge(done, pod_cost(whole)) ||
			    !total_fits(whole, &bounds->items[j], constraints[i].holds, done))
				return false;
		}
	}
	return true;
}

static bool
fits_item(const scope *about, const pod *whole, const range_item *item, work *done)
{
	if (!item_selects(item, about, done))
		return done->why == NULL;
	if (item->type == ITEM_CONTAINER)
		return containers_fit(whole, item, done) && done->why == NULL;
	return item->type != ITEM_POD || totals_fit(whole, item, done);
}

bool
pod_fits(const scope *about, const pod *whole, work *done)
{
	for (size_t i = 0; i < about->count; i++) {
		const limit_range *range = about->ranges[i];

		for (size_t j = 0; j < range->count; j++) {
			if (!fits_item(about, whole, &range->items[j], done))
				return false;
		}
	}
	return true;
}
