/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_warnings.c - warns of values that LimitRanger admits and the API server
 * refuses once admission is over (core/v1 ValidatePod): the surprise that is
 * reported most.  Texts are cut to keep a warning at 120 characters.
 */
#include <string.h>

#include "../limit_ranger.h"

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
warn_of(const container *which, const resource *named, const range_item *item, limen_reply *reply)
{
	bool given = item != NULL;
	const char *text = container_objection(which, named, given);
	char label[CONTAINER_LABEL_MAX];

	if (text == NULL)
		return false;
	container_label(which, label);
	limen_reply_warning(reply, "%s: %s %s%s%s%s; the API server will answer 422", label,
	                    named->name, text, given ? " after LimitRange \"" : "",
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
			const resource *element = &list->items[i];

			if (element->item != NULL)
				count += warn_of(which, element, element->item, reply) ? 1 : 0;
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

/* Warns of containers whose limit is above 'bound', the limit of the pod as a whole. */
static unsigned
warn_of_limit(const pod *whole, const resource *bound, unsigned count, limen_reply *reply)
{
	for (size_t i = 0; i < whole->count && count < WARNINGS_MAX; i++) {
		const resource *limit = container_value(&whole->containers[i], SIDE_LIMIT, bound);
		char label[CONTAINER_LABEL_MAX];

		if (limit == NULL || amount_compare(limit, bound) <= 0)
			continue;
		container_label(&whole->containers[i], label);
		limen_reply_warning(reply,
		                    "%s: %s limit above the pod's%s%s%s; the API server will answer 422",
		                    label, bound->name,
		                    limit->item == NULL ? "" : " after LimitRange \"",
		                    limit->item == NULL ? "" : limit->item->owner,
		                    limit->item == NULL ? "" : "\"");
		count++;
	}
	return count;
}

/* Warns of containers that exceed what their pod has as a whole (since 1.34). */
static unsigned
warn_of_whole(const pod *whole, unsigned count, limen_reply *reply)
{
	const resource_list *requests = &whole->own.lists[SIDE_REQUEST];
	const resource_list *limits = &whole->own.lists[SIDE_LIMIT];
	pod parts; /* without the values that replace the sum of its containers */

	if (requests->count + limits->count == 0)
		return count;
	parts = *whole;
	memset(&parts.own, 0, sizeof parts.own);
	for (size_t i = 0; i < requests->count && count < WARNINGS_MAX; i++) {
		total sum;
		int result = pod_total(&parts, SIDE_REQUEST, &requests->items[i], true, &sum);

		if (result == LIMEN_OK && sum.there &&
		    amount_compare(&sum.value, &requests->items[i]) > 0) {
			limen_reply_warning(reply,
			                    "pod: %s requests of the containers above the pod's; the "
			                    "API server will answer 422", requests->items[i].name);
			count++;
		}
		total_clear(&sum);
	}
	for (size_t i = 0; i < limits->count; i++)
		count = warn_of_limit(whole, &limits->items[i], count, reply);
	return count;
}

void
container_defaults_warn(const pod *whole, const limen_request *req, limen_reply *reply)
{
	bool manifest = limen_request_is_manifest(req);
	unsigned count = warn_of_whole(whole, 0, reply);

	for (size_t i = 0; i < whole->count && count < WARNINGS_MAX; i++) {
		count = warn_of_added(&whole->containers[i], count, reply);
		if (manifest)
			count = warn_of_given(&whole->containers[i], count, reply);
	}
}
