/* SPDX-License-Identifier: Apache-2.0 */
/*
 * defaults.c - the values that containers are given because they have
 * none.  Of several LimitRanges the first in order that has a value wins.
 */
#include <stdlib.h>
#include <string.h>

#include "../limit_ranger.h"

/* Room at first: most containers are given cpu and memory. */
#define ADDITIONS_FEW ((size_t)4)

/* Collecting from the items of LimitRanges. */
typedef struct collecting {
	deadline *end;
	size_t left; /* how many values may be given yet */
	int conflict;
	bool added;
} collecting;

const size_t range_defaults[SIDE_COUNT] = {
	[SIDE_REQUEST] = LIST_DEFAULT_REQUEST,
	[SIDE_LIMIT] = LIST_DEFAULT,
};

int
addition_append(const limen_request *req, resource_list *list, const resource *item)
{
	size_t room = list->count < ADDITIONS_FEW ? ADDITIONS_FEW : 2 * list->count;
	resource *to = list->items;

	if (list->count >= list->room) {
		to = limen_request_alloc(req, room * sizeof *to);
		if (to == NULL)
			return LIMEN_ENOMEM;
		if (list->count > 0)
			memcpy(to, list->items, list->count * sizeof *to);
		list->items = to;
		list->room = room;
	}
	to += list->count;
	*to = *item;
	if (to->text == NULL) {
		size_t size = limen_quantity_print(&item->quantity, NULL, 0) + 1;

		to->text = limen_request_alloc(req, size);
		if (to->text == NULL)
			return LIMEN_ENOMEM;
		limen_quantity_print(&item->quantity, to->text, size);
	}
	list->count++;
	return LIMEN_OK;
}

/*
 * Gives a container that lacks 'value' that default.  Kubernetes does not look whether it suits
 * the value on the other side.  Where it would not, the conflict option leaves it out or uses
 * that value.
 */
static int
add_default(collecting *job, container *to, side where, const resource *value)
{
	const side across = where == SIDE_LIMIT ? SIDE_REQUEST : SIDE_LIMIT;
	const resource *other = NULL;
	resource item = *value;
	int order = 0;

	if (job->conflict != CONFLICT_UPSTREAM)
		other = container_value(to, across, value);
	if (other != NULL)
		order = amount_compare(value, other);
	if (where == SIDE_LIMIT ? order < 0 : order > 0) {
		if (job->conflict == CONFLICT_SKIP)
			return LIMEN_OK;
		item.quantity = other->quantity;
		item.milli = other->milli;
		item.text = NULL;
		item.origin = ORIGIN_OTHER;
	}
	job->added = true;
	return job->left-- == 0 ? LIMEN_ERANGE
	                        : addition_append(job->end->request, &to->added[where], &item);
}

static int
add_side(collecting *job, container *to, side where, const range_item *item)
{
	const resource_list *defaults = &item->lists[range_defaults[where]];
	resource_list *added = &to->added[where];
	resource_list before = *added;
	int result = LIMEN_OK;

	/* Most that are given anything have nothing: then the list is the same for all. */
	if (to->given.lists[where].count + added->count == 0 &&
	    job->conflict == CONFLICT_UPSTREAM && 0 < defaults->count &&
	    defaults->count <= job->left) {
		job->left -= defaults->count;
		job->added = true;
		*added = *defaults;
		to->from[where] = item;
		return LIMEN_OK;
	}
	for (size_t i = 0; result == LIMEN_OK && i < defaults->count; i++) {
		const resource *value = &defaults->items[i];

		if (resource_list_find(&to->given.lists[where], value) == NULL &&
		    resource_list_find(&before, value) == NULL)
			result = add_default(job, to, where, value);
	}
	if (added->count == before.count)
		return result;
	to->from[where] = NULL;
	if (before.count > 0)
		qsort(added->items, added->count, sizeof *added->items, resource_order);
	return result;
}

static int
collect_item(collecting *job, const range_item *item, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		container *to = &whole->containers[i];

		if (must_leave(job->end, range_item_size(item) + to->added[0].count) ||
		    !item_has_container(item, to, job->end))
			continue;
		for (unsigned where = 0; result == LIMEN_OK && where < SIDE_COUNT; where++)
			result = add_side(job, to, (side)where, item);
	}
	return result;
}

static int
collect_range(collecting *job, const limit_range *range, const scope *within, pod *whole)
{
	int result = LIMEN_OK;

	job->added = false;
	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		const range_item *item = &range->items[i];

		if (item->type == ITEM_CONTAINER && item->defaulting == DEFAULTING_UPSTREAM &&
		    item_selects(item, within, job->end))
			result = collect_item(job, item, whole);
	}
	return job->end->leave_early ? LIMEN_ERANGE : result;
}

int
container_defaults_collect(const limit_ranger *self, const scope *within, deadline *end, pod *whole,
                           const limit_range **last)
{
	collecting job = { .end = end,
		            .left = ADDITIONS_MAX,
		            .conflict = self->conflict };
	int result = LIMEN_OK;

	*last = NULL;
	for (size_t i = 0; result == LIMEN_OK && i < within->count; i++) {
		result = collect_range(&job, within->ranges[i], within, whole);
		if (job.added)
			*last = within->ranges[i];
	}
	return result;
}
