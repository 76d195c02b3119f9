/* SPDX-License-Identifier: Apache-2.0 */
/*
 * container_defaults.c - the values that containers are given because they have
 * none.  Of several LimitRanges the first in order that has a value wins.
 */
#include "limit_ranger.h"

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

char *
addition_print(const limen_request *req, const limen_quantity *quantity)
{
	size_t size = limen_quantity_print(quantity, NULL, 0) + 1;
	char *text = limen_request_alloc(req, size);

	if (text != NULL)
		limen_quantity_print(quantity, text, size);
	return text;
}

static void
append(additions *list, addition *one)
{
	if (list->last == NULL)
		list->first = one;
	else
		list->last->next = one;
	list->last = one;
}

int
addition_append(const limen_request *req, additions *list, const addition *one)
{
	addition *copy = limen_request_alloc(req, sizeof *copy);
	const char *text = one->value->text;

	/* Only LimitRanges have been printed already. */
	if (text == NULL || one->quantity != &one->value->quantity)
		text = addition_print(req, one->quantity);
	if (copy == NULL || text == NULL)
		return LIMEN_ENOMEM;
	*copy = *one;
	copy->text = text;
	append(list, copy);
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

	if (container_value(to, where, value) != NULL)
		return LIMEN_OK;
	if (work->conflict != CONFLICT_UPSTREAM) {
		const limen_quantity *other = container_value(to, other_side[where], value);
		bool conflict = where == SIDE_LIMIT ? is_request_above(other, quantity)
		                                    : is_request_above(quantity, other);

		if (conflict && work->conflict == CONFLICT_SKIP)
			return LIMEN_OK;
		if (conflict)
			quantity = other;
	}
	work->added = true;
	to->defaults = NULL;
	return addition_append(work->request, &to->added[where],
	                       &(addition){ .value = value,
	                                    .quantity = quantity,
	                                    .range = work->range });
}

static int
add_list(collecting *work, container *to, side where, const resource_list *defaults)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < defaults->count; i++)
		result = add_missing(work, to, where, &defaults->items[i]);
	return result;
}

static bool
has_nothing(const container *to)
{
	for (size_t i = 0; i < SIDE_COUNT; i++) {
		if (to->given.lists[i].count > 0 || to->added[i].first != NULL)
			return false;
	}
	return true;
}

/* Gives a container that has nothing all of an item; 'next' has room for it. */
static void
add_all(collecting *work, container *to, const range_item *item, addition *next)
{
	static const struct {
		side where;
		size_t list;
	} both[] = { { SIDE_REQUEST, LIST_DEFAULT_REQUEST }, { SIDE_LIMIT, LIST_DEFAULT } };

	for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
		const resource_list *list = &item->lists[both[i].list];

		for (size_t j = 0; j < list->count; j++, next++) {
			const resource *value = &list->items[j];

			*next = (addition){ .value = value,
				            .quantity = &value->quantity,
				            .text = value->text,
				            .range = work->range };
			append(&to->added[both[i].where], next);
			work->added = true;
		}
	}
	to->defaults = item;
}

/* Most containers that are given something have nothing. */
static int
add_to_nothing(collecting *work, container *to, const range_item *item)
{
	size_t count = item->lists[LIST_DEFAULT_REQUEST].count + item->lists[LIST_DEFAULT].count;
	addition *room;

	if (count == 0)
		return LIMEN_OK;
	room = limen_request_alloc(work->request, count * sizeof *room);
	if (room == NULL)
		return LIMEN_ENOMEM;
	add_all(work, to, item, room);
	return LIMEN_OK;
}

static int
add_lists(collecting *work, container *to, const range_item *item)
{
	int result;

	if (work->conflict == CONFLICT_UPSTREAM && has_nothing(to))
		return add_to_nothing(work, to, item);
	result = add_list(work, to, SIDE_REQUEST, &item->lists[LIST_DEFAULT_REQUEST]);
	return result != LIMEN_OK ? result
	                          : add_list(work, to, SIDE_LIMIT, &item->lists[LIST_DEFAULT]);
}

static int
collect_item(collecting *work, const range_item *item, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		container *to = &whole->containers[i];

		if (item_has_container(item, to))
			result = add_lists(work, to, item);
	}
	return result;
}

static int
collect_range(collecting *work, const scope *about, const limit_range *range, pod *whole)
{
	work->range = range;
	work->added = false;
	for (size_t i = 0; i < range->count; i++) {
		const range_item *item = &range->items[i];

		if (item->type != ITEM_CONTAINER || item->defaulting != DEFAULTING_UPSTREAM ||
		    !item_selects(item, about))
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
		if (collect_range(&work, about, about->ranges[i], whole) != LIMEN_OK)
			return LIMEN_ENOMEM;
		if (work.added)
			*last = about->ranges[i];
	}
	return LIMEN_OK;
}
