/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_warnings.c - warns of values that LimitRanger admits and the API server
 * refuses once admission is over (core/v1 ValidatePod): the surprise that is
 * reported most.  Texts are cut to keep a warning at 120 characters.
 */
#include "../limit_ranger.h"
#include "../range/names.h"

/* More warnings than these would make an answer unreadable. */
#define WARNINGS_MAX 10

/* One resource of one container, as it will be. */
typedef struct outcome {
	const container *which;
	const resource *named;
	const limit_range *range; /* which gave a value; NULL: all are the author's */
} outcome;

static void
warn(const outcome *about, const char *what, limen_reply *reply)
{
	char label[CONTAINER_LABEL_MAX];

	container_label(about->which, label);
	if (about->range != NULL)
		limen_reply_warning(reply, "%s: %s %s after LimitRange \"%s\"; the API server will "
		                           "answer 422",
		                    label, about->named->name, what, about->range->name);
	else
		limen_reply_warning(reply, "%s: %s %s; the API server will answer 422", label,
		                    about->named->name, what);
}

/* What the API server will object to, or NULL; 'added': a LimitRange gave a value. */
static const char *
find_objection(const container *which, const resource *named, bool added)
{
	const limen_quantity *request = container_value(which, SIDE_REQUEST, named);
	const limen_quantity *limit = container_value(which, SIDE_LIMIT, named);
	int order = request == NULL || limit == NULL ? 0 : limen_quantity_compare(request, limit);

	if (order > 0)
		return "request above limit";
	if (names_may_overcommit(named->name, named->length))
		return NULL;
	if (order < 0 || (added && (request == NULL || limit == NULL)))
		return "request and limit differ";
	return limit == NULL ? "request without limit" : NULL;
}

static bool
warn_of(const outcome *about, limen_reply *reply)
{
	const char *what = find_objection(about->which, about->named, about->range != NULL);

	if (what != NULL)
		warn(about, what, reply);
	return what != NULL;
}

bool
defaults_agree(const range_item *item)
{
	container one = { .init = false };

	for (size_t i = 0; i < SIDE_COUNT; i++)
		one.given.lists[i] = item->lists[range_defaults[i]];
	for (size_t i = 0; i < SIDE_COUNT; i++) {
		const resource_list *list = &one.given.lists[i];

		for (size_t j = 0; j < list->count; j++) {
			if (find_objection(&one, &list->items[j], true) != NULL)
				return false;
		}
	}
	return true;
}

static unsigned
warn_of_added(const container *which, unsigned count, work *done, limen_reply *reply)
{
	const range_item *source = which->from[SIDE_REQUEST];
	uint64_t cost = container_cost(which);

	/* That was looked into when the policy was loaded. */
	if ((source != NULL && source == which->from[SIDE_LIMIT] && source->agrees) ||
	    !work_charge(done, cost * cost))
		return count;
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		const addition *one = which->added[where].first;

		for (; one != NULL && count < WARNINGS_MAX; one = one->next) {
			const outcome about = { which, one->value, one->range };

			if (one->origin == ORIGIN_RANGE)
				count += warn_of(&about, reply) ? 1 : 0;
		}
	}
	return count;
}

static bool
is_added(const container *which, side where, const resource *named)
{
	return container_value(which, where, named) != NULL &&
	       resource_list_get(&which->given.lists[where], named) == NULL;
}

/* What a LimitRange has added to has been warned of. */
static unsigned
warn_of_given(const container *which, unsigned count, work *done, limen_reply *reply)
{
	const resource_list *requests = &which->given.lists[SIDE_REQUEST];

	if (!work_charge(done, requests->count * container_cost(which)))
		return count;
	for (size_t i = 0; i < requests->count && count < WARNINGS_MAX; i++) {
		const outcome about = { which, &requests->items[i], NULL };

		if (!names_is_qualified(about.named->name, about.named->length) ||
		    is_added(which, SIDE_LIMIT, about.named))
			continue;
		count += warn_of(&about, reply) ? 1 : 0;
	}
	return count;
}

void
container_defaults_warn(const pod *whole, const limen_request *req, limen_reply *reply)
{
	bool manifest = limen_request_is_manifest(req);
	work done = work_start(req);
	unsigned count = 0;

	for (size_t i = 0; i < whole->count && count < WARNINGS_MAX; i++) {
		count = warn_of_added(&whole->containers[i], count, &done, reply);
		if (manifest)
			count = warn_of_given(&whole->containers[i], count, &done, reply);
	}
}
