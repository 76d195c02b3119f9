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
	const limen_request *request;
	deadline *end;
	size_t left; /* how many values may be given yet */
	int conflict;
	bool added;
} collecting;

static const side other_side[SIDE_COUNT] = {
	[SIDE_REQUEST] = SIDE_LIMIT,
	[SIDE_LIMIT] = SIDE_REQUEST,
};

const size_t range_defaults[SIDE_COUNT] = {
	[SIDE_REQUEST] = LIST_DEFAULT_REQUEST,
	[SIDE_LIMIT] = LIST_DEFAULT,
};

static int
addition_order(const void *a, const void *b)
{
	return resource_compare(((const addition *)a)->value, ((const addition *)b)->value);
}

const addition *
additions_search(const additions *list, const resource *named)
{
	const addition key = { .value = named };

	return bsearch(&key, list->items, list->count, sizeof key, addition_order);
}

int
addition_append(const limen_request *req, additions *list, const addition *one)
{
	size_t room = list->room == 0 ? ADDITIONS_FEW : 2 * list->room;
	addition *to = list->items;

	if (list->count == list->room) {
		to = limen_request_alloc(req, room * sizeof *to);
		if (to == NULL)
			return LIMEN_ENOMEM;
		if (list->count > 0)
			memcpy(to, list->items, list->count * sizeof *to);
		list->items = to;
		list->room = room;
	}
	to += list->count;
	*to = *one;
	if (to->text == NULL) {
		size_t size = limen_quantity_print(&one->source->quantity, NULL, 0) + 1;
		char *text = limen_request_alloc(req, size);

		if (text == NULL)
			return LIMEN_ENOMEM;
		limen_quantity_print(&one->source->quantity, text, size);
		to->text = text;
	}
	list->count++;
	return LIMEN_OK;
}

/*
 * Returns whose quantity a container that lacks 'value' is given; NULL: nothing.  Kubernetes does not
 * look whether a default suits the value on the other side.  Where it would not, the conflict
 * option leaves it out or uses that value.
 */
static const resource *
choose(const collecting *job, const container *to, side where, const resource *value)
{
	const resource *other;
	int order;

	if (job->conflict == CONFLICT_UPSTREAM)
		return value;
	other = container_value(to, other_side[where], value);
	order = other == NULL ? 0 : amount_compare(value, other);
	if (where == SIDE_LIMIT ? order >= 0 : order <= 0)
		return value;
	return job->conflict == CONFLICT_SKIP ? NULL : other;
}

/* Merges 'more' into 'list'; both are sorted. */
static int
merge(const limen_request *req, additions *list, const additions *more)
{
	int result = LIMEN_OK;

	if (list->count == 0) {
		*list = *more;
		return LIMEN_OK;
	}
	for (size_t i = 0; result == LIMEN_OK && i < more->count; i++)
		result = addition_append(req, list, &more->items[i]);
	qsort(list->items, list->count, sizeof *list->items, addition_order);
	return result;
}

static int
add_side(collecting *job, container *to, side where, const range_item *item)
{
	const additions *all = &item->additions[where];
	additions more = { .items = NULL };
	int result = LIMEN_OK;

	/* Most that are given anything have nothing: then the list is the same for all. */
	if (to->given.lists[where].count + to->added[where].count == 0 &&
	    job->conflict == CONFLICT_UPSTREAM && 0 < all->count && all->count <= job->left) {
		job->left -= all->count;
		job->added = true;
		to->added[where] = *all;
		to->from[where] = item;
		return LIMEN_OK;
	}
	for (size_t i = 0; result == LIMEN_OK && i < all->count; i++) {
		addition one = all->items[i];

		if (container_value(to, where, one.value) != NULL)
			continue;
		one.source = choose(job, to, where, one.value);
		if (one.source == NULL)
			continue;
		if (one.source != one.value)
			one.text = NULL;
		if (job->left == 0)
			return LIMEN_ERANGE;
		job->left--;
		job->added = true;
		result = addition_append(job->request, &more, &one);
	}
	if (more.count == 0)
		return result;
	to->from[where] = NULL;
	return result != LIMEN_OK ? result : merge(job->request, &to->added[where], &more);
}

static int
collect_item(collecting *job, const range_item *item, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		container *to = &whole->containers[i];

		if (deadline_passed(job->end, range_item_size(item) + to->added[0].count) ||
		    !item_has_container(item, to, job->end))
			continue;
		result = add_side(job, to, SIDE_REQUEST, item);
		if (result == LIMEN_OK)
			result = add_side(job, to, SIDE_LIMIT, item);
	}
	return result;
}

static int
collect_range(collecting *job, const limit_range *range, const scope *about, pod *whole)
{
	int result = LIMEN_OK;

	job->added = false;
	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		const range_item *item = &range->items[i];

		if (item->type == ITEM_CONTAINER && item->defaulting == DEFAULTING_UPSTREAM &&
		    item_selects(item, about, job->end))
			result = collect_item(job, item, whole);
	}
	return job->end->passed ? LIMEN_ERANGE : result;
}

int
container_defaults_collect(const limit_ranger *self, const scope *about, deadline *end, pod *whole,
                           const limit_range **last)
{
	collecting job = { .request = end->request,
		            .end = end,
		            .left = ADDITIONS_MAX,
		            .conflict = self->conflict };
	int result = LIMEN_OK;

	*last = NULL;
	for (size_t i = 0; result == LIMEN_OK && i < about->count; i++) {
		result = collect_range(&job, about->ranges[i], about, whole);
		if (job.added)
			*last = about->ranges[i];
	}
	return result;
}
