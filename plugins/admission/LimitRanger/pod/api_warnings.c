/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_warnings.c - warns of values that LimitRanger admits and the API server
 * refuses once admission is over (core/v1 ValidatePod): the surprise that is
 * reported most.  Texts are cut to keep a warning at 120 characters.
 */
#include "../limit_ranger.h"
#include "../range/names.h"

/* Cap on warnings: more would make an answer unreadable. */
#define WARNINGS_MAX 10

const char *
container_objection(const container *which, const resource *named, bool added)
{
	const resource *request = container_value(which, SIDE_REQUEST, named);
	const resource *limit = container_value(which, SIDE_LIMIT, named);
	bool both = request != NULL && limit != NULL;
	int order = both ? amount_compare(request, limit) : 0;

	if (order > 0)
		return "request above limit";
	if ((both && order == 0) || names_may_overcommit(named->name, named->length))
		return NULL;
	if (both || added)
		return "request and limit differ";
	return limit == NULL ? "request without limit" : NULL;
}

/* Adds a warning, if there is one; 'item' gave a value (NULL: all are the author's). */
static bool
warn_of(const container *which, const resource *named, const range_item *item,
        limen_reply *reply)
{
	bool given = item != NULL;
	const char *what = container_objection(which, named, given);
	char label[CONTAINER_LABEL_MAX];

	if (what == NULL)
		return false;
	container_label(which, label);
	limen_reply_warning(reply, "%s: %s %s%s%s%s; the API server will answer 422", label,
	                    named->name, what, given ? " after LimitRange \"" : "",
	                    given ? item->owner : "", given ? "\"" : "");
	return true;
}

static unsigned
warn_of_added(const container *which, unsigned count, limen_reply *reply)
{
	if (container_is_settled(which, which->from[SIDE_REQUEST]))
		return count;
	for (size_t where = 0; where < SIDE_COUNT; where++) {
		const resource_list *list = &which->added[where];

		for (size_t i = 0; i < list->count && count < WARNINGS_MAX; i++) {
			const resource *one = &list->items[i];

			if (one->item != NULL)
				count += warn_of(which, one, one->item, reply) ? 1 : 0;
		}
	}
	return count;
}

/* Skips resources whose limit was added: warn_of_added() has warned of them. */
static unsigned
warn_of_given(const container *which, unsigned count, limen_reply *reply)
{
	const resource_list *requests = &which->given.lists[SIDE_REQUEST];

	for (size_t i = 0; i < requests->count && count < WARNINGS_MAX; i++) {
		const resource *named = &requests->items[i];

		if (names_is_qualified(named->name, named->length) &&
		    resource_list_find(&which->added[SIDE_LIMIT], named) == NULL)
			count += warn_of(which, named, NULL, reply) ? 1 : 0;
	}
	return count;
}

void
container_defaults_warn(const pod *whole, const limen_request *req, limen_reply *reply)
{
	bool manifest = limen_request_is_manifest(req);
	unsigned count = 0;

	for (size_t i = 0; i < whole->count && count < WARNINGS_MAX; i++) {
		count = warn_of_added(&whole->containers[i], count, reply);
		if (manifest)
			count = warn_of_given(&whole->containers[i], count, reply);
	}
}
