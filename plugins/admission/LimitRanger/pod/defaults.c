/* SPDX-License-Identifier: Apache-2.0 */
/*
 * defaults.c - the values that containers are given because they have
 * none.  Of several LimitRanges the first in order that has a value wins.
 */
#include "../limit_ranger.h"

/* Collecting from one item for one container. */
typedef struct collecting {
	const limen_request *request;
	work *done;
	pod *whole;
	size_t left; /* how many values may be given yet, */
	size_t room; /* and how many bytes */
	const limit_range *range;
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

const limen_quantity *
container_value(const container *which, side from, const resource *named)
{
	const limen_quantity *given = resource_list_get(&which->given.lists[from], named);

	if (given != NULL)
		return given;
	for (const addition *one = which->added[from].first; one != NULL; one = one->next) {
		if (resource_is(one->value, named))
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
	list->count++;
}

int
addition_append(const limen_request *req, additions *list, const addition *one)
{
	addition *copy = limen_request_alloc(req, sizeof *copy);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a default has a value */
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

/* Takes what is given now from what may be given. */
static bool
take_room(collecting *job, size_t count, size_t bytes)
{
	if (count > job->left || bytes > job->room)
		return false;
	job->left -= count;
	job->room -= bytes;
	job->whole->added_count += count;
	job->added = true;
	return true;
}

/* The value of the other side has been printed for nobody yet. */
static size_t
measure(const resource *value, const limen_quantity *quantity)
{
	return value->weight +
	       (quantity == &value->quantity ? 0 : limen_quantity_print(quantity, NULL, 0));
}

/*
 * Kubernetes does not look whether a default suits the value on the other side.
 * Where it would not, the conflict option leaves it out or uses that value.
 */
static int
add_missing(collecting *job, container *to, side where, const resource *value)
{
	const limen_quantity *quantity = &value->quantity;

	if (container_value(to, where, value) != NULL)
		return LIMEN_OK;
	if (job->conflict != CONFLICT_UPSTREAM) {
		const limen_quantity *other = container_value(to, other_side[where], value);
		bool conflict = where == SIDE_LIMIT ? is_request_above(other, quantity)
		                                    : is_request_above(quantity, other);

		if (conflict && job->conflict == CONFLICT_SKIP)
			return LIMEN_OK;
		if (conflict)
			quantity = other;
	}
	if (!take_room(job, 1, measure(value, quantity)))
		return LIMEN_ERANGE;
	to->from[where] = NULL;
	to->added_digits += value->lengthy ? value->weight : 0;
	return addition_append(job->request, &to->added[where],
	                       &(addition){ .value = value,
	                                    .quantity = quantity,
	                                    .range = job->range });
}

static int
add_list(collecting *job, container *to, side where, const resource_list *defaults)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < defaults->count; i++)
		result = add_missing(job, to, where, &defaults->items[i]);
	return result;
}

/* Gives a container that has nothing on one side all of an item. */
static int
add_all(collecting *job, container *to, side where, const range_item *item,
        const resource_list *defaults)
{
	addition *next;

	if (!take_room(job, defaults->count, item->weights[where]))
		return LIMEN_ERANGE;
	next = limen_request_alloc(job->request, defaults->count * sizeof *next);
	if (next == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = 0; i < defaults->count; i++, next++) {
		const resource *value = &defaults->items[i];

		*next = (addition){ .value = value,
			            .quantity = &value->quantity,
			            .text = value->text,
			            .range = job->range };
		append(&to->added[where], next);
	}
	to->from[where] = item;
	to->added_digits += item->digits[where];
	return LIMEN_OK;
}

/* Most containers that are given something have nothing. */
static int
add_side(collecting *job, container *to, side where, const range_item *item)
{
	const resource_list *defaults = &item->lists[range_defaults[where]];

	if (defaults->count == 0)
		return LIMEN_OK;
	if (!work_charge(job->done, defaults->count * container_cost(to)))
		return LIMEN_ERANGE;
	if (job->conflict == CONFLICT_UPSTREAM && to->given.lists[where].count == 0 &&
	    to->added[where].first == NULL)
		return add_all(job, to, where, item, defaults);
	return add_list(job, to, where, defaults);
}

static int
collect_item(collecting *job, const range_item *item)
{
	pod *whole = job->whole;
	int result = work_charge(job->done, whole->count) ? LIMEN_OK : LIMEN_ERANGE;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		container *to = &whole->containers[i];

		if (!item_has_container(item, to, job->done))
			continue;
		result = add_side(job, to, SIDE_REQUEST, item);
		if (result == LIMEN_OK)
			result = add_side(job, to, SIDE_LIMIT, item);
	}
	return result;
}

static int
collect_range(collecting *job, const scope *about, const limit_range *range)
{
	int result = LIMEN_OK;

	job->range = range;
	job->added = false;
	for (size_t i = 0; result == LIMEN_OK && i < range->count; i++) {
		const range_item *item = &range->items[i];

		if (item->type == ITEM_CONTAINER && item->defaulting == DEFAULTING_UPSTREAM &&
		    item_selects(item, about, job->done))
			result = collect_item(job, item);
	}
	return job->done->why == NULL ? result : LIMEN_ERANGE;
}

int
container_defaults_collect(const limit_ranger *self, const scope *about, work *done, pod *whole,
                           const limit_range **last)
{
	collecting job = { .request = done->request,
		            .done = done,
		            .whole = whole,
		            .left = ADDITIONS_MAX,
		            .room = ADDITION_BYTES_MAX,
		            .conflict = self->conflict };
	int result = LIMEN_OK;

	*last = NULL;
	for (size_t i = 0; result == LIMEN_OK && i < about->count; i++) {
		result = collect_range(&job, about, about->ranges[i]);
		if (job.added)
			*last = about->ranges[i];
	}
	return result;
}
