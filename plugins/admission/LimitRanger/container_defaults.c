/* SPDX-License-Identifier: Apache-2.0 */
/*
 * container_defaults.c - the values that containers are given because they have
 * none.  Of several LimitRanges the first in order that has a value wins.
 */
#include "limit_ranger.h"
#include "names.h"

/* More warnings than these would make an answer unreadable. */
#define WARNINGS_MAX 10

/* Collecting from one item for one container. */
typedef struct collecting {
	const limen_request *request;
	const limit_range *range;
	int conflict;
	bool added;
} collecting;

static const side other_side[SIDE_COUNT] = {
	[SIDE_REQUEST] = SIDE_LIMIT,
	[SIDE_LIMIT] = SIDE_REQUEST,
};

const limen_quantity *
container_value(const container *which, side from, const resource *named)
{
	const limen_quantity *given = resource_list_get(&which->given.lists[from], named);

	if (given != NULL)
		return given;
	for (const addition *one = which->added[from].first; one != NULL; one = one->next) {
		if (resource_compare(one->value, named) == 0)
			return one->quantity;
	}
	return NULL;
}

static const char *
print(const limen_request *req, const limen_quantity *quantity)
{
	size_t size = limen_quantity_print(quantity, NULL, 0) + 1;
	char *text = limen_request_alloc(req, size);

	if (text != NULL)
		limen_quantity_print(quantity, text, size);
	return text;
}

static int
append(const collecting *work, additions *list, const resource *value,
       const limen_quantity *quantity)
{
	addition *one = limen_request_alloc(work->request, sizeof *one);
	const char *text = value->text;

	if (quantity != &value->quantity)
		text = print(work->request, quantity);
	if (one == NULL || text == NULL)
		return LIMEN_ENOMEM;
	*one = (addition){ NULL, value, quantity, text, work->range };
	if (list->last == NULL)
		list->first = one;
	else
		list->last->next = one;
	list->last = one;
	return LIMEN_OK;
}

static bool
is_request_above(const limen_quantity *request, const limen_quantity *limit)
{
	return request != NULL && limit != NULL && limen_quantity_compare(request, limit) > 0;
}

/*
 * Kubernetes does not look whether a default suits the value on the other side.
 * Where it would not, the conflict option leaves it out or uses that value.
 */
static int
add_missing(collecting *work, container *to, side where, const resource *value)
{
	const limen_quantity *quantity = &value->quantity;
	const limen_quantity *other = container_value(to, other_side[where], value);
	bool conflict = where == SIDE_LIMIT ? is_request_above(other, quantity)
	                                    : is_request_above(quantity, other);

	if (container_value(to, where, value) != NULL)
		return LIMEN_OK;
	if (conflict && work->conflict == CONFLICT_SKIP)
		return LIMEN_OK;
	if (conflict && work->conflict == CONFLICT_RAISE)
		quantity = other;
	work->added = true;
	return append(work, &to->added[where], value, quantity);
}

static int
add_list(collecting *work, container *to, side where, const resource_list *defaults)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < defaults->count; i++)
		result = add_missing(work, to, where, &defaults->items[i]);
	return result;
}

static int
collect_item(collecting *work, const range_item *item, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		container *to = &whole->containers[i];

		result = add_list(work, to, SIDE_REQUEST, &item->lists[LIST_DEFAULT_REQUEST]);
		if (result == LIMEN_OK)
			result = add_list(work, to, SIDE_LIMIT, &item->lists[LIST_DEFAULT]);
	}
	return result;
}

static int
collect_range(collecting *work, const limit_range *range, pod *whole)
{
	work->range = range;
	work->added = false;
	for (size_t i = 0; i < range->count; i++) {
		const range_item *item = &range->items[i];

		if (item->type != ITEM_CONTAINER || item->defaulting != DEFAULTING_UPSTREAM)
			continue;
		if (collect_item(work, item, whole) != LIMEN_OK)
			return LIMEN_ENOMEM;
	}
	return LIMEN_OK;
}

int
container_defaults_collect(const limit_ranger *self, const scope *about,
                           const limen_request *req, pod *whole, const limit_range **last)
{
	collecting work = { .request = req, .conflict = self->conflict };

	*last = NULL;
	for (size_t i = 0; i < about->count; i++) {
		if (collect_range(&work, &about->ranges[i], whole) != LIMEN_OK)
			return LIMEN_ENOMEM;
		if (work.added)
			*last = &about->ranges[i];
	}
	return LIMEN_OK;
}

/*
 * Says what the API server will object to about one resource that was given a
 * value, or returns false.  Texts are cut to keep a warning at 120 characters.
 */
static bool
warn_of(const container *which, const addition *one, limen_reply *reply)
{
	const limen_quantity *request = container_value(which, SIDE_REQUEST, one->value);
	const limen_quantity *limit = container_value(which, SIDE_LIMIT, one->value);
	bool equal = request != NULL && limit != NULL &&
	             limen_quantity_compare(request, limit) == 0;
	char label[CONTAINER_LABEL_MAX];

	container_label(which, label);
	if (is_request_above(request, limit))
		limen_reply_warning(reply, "%s: %s request above limit after LimitRange \"%s\"; "
		                           "the API server will answer 422",
		                    label, one->value->name, one->range->name);
	else if (!equal && !names_may_overcommit(one->value->name, one->value->length))
		limen_reply_warning(reply, "%s: %s request and limit differ after LimitRange "
		                           "\"%s\"; the API server will answer 422",
		                    label, one->value->name, one->range->name);
	else
		return false;
	return true;
}

void
container_defaults_warn(const pod *whole, limen_reply *reply)
{
	unsigned count = 0;

	for (size_t i = 0; i < whole->count; i++) {
		const container *which = &whole->containers[i];

		for (size_t where = 0; where < SIDE_COUNT; where++) {
			const addition *one = which->added[where].first;

			for (; one != NULL && count < WARNINGS_MAX; one = one->next)
				count += warn_of(which, one, reply) ? 1 : 0;
		}
	}
}
