/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_rules.c - changes a manifest as the API server does before admission (core/v1
 * SetDefaults_Pod): a missing request is set to the limit, a pod with resources of its own gets those that
 * follow from its containers, and quantities are rounded to thousandths.  The object of an AdmissionReview has these changes already.
 */
#include <string.h>

#include "../limit_ranger.h"

/* The API server refuses names that are not qualified, so their values are not worth copying. */
static int
copy_limits(const limen_request *req, const requirements *given, resource_list *requests)
{
	const resource_list *limits = &given->lists[SIDE_LIMIT];
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < limits->count; i++) {
		resource one = limits->items[i];

		one.origin = ORIGIN_LIMIT;
		if (resource_list_find(&given->lists[SIDE_REQUEST], &one) == NULL &&
		    names_is_qualified(one.name, one.length))
			result = addition_append(req, requests, &one);
	}
	return result;
}

/* Gives the pod as a whole the sum of its containers or, if they have none, 'limit'. */
static int
add_sum(deadline *end, pod *whole, side where, resource one, const resource *limit)
{
	total sum;
	int result;

	if (must_leave(end, whole->count))
		return LIMEN_ERANGE;
	result = pod_total(whole, where, &one, true, &sum);
	one.origin = ORIGIN_SUM;
	one.quantity = sum.value.quantity;
	one.milli = sum.value.milli;
	if (!sum.there && limit != NULL) {
		one = *limit;
		one.origin = ORIGIN_LIMIT;
	}
	if (result == LIMEN_OK && (sum.there || limit != NULL))
		result = addition_append(end->request, &whole->added[where], &one);
	if (result != LIMEN_OK)
		total_clear(&sum);
	return result;
}

static bool
is_hugepages(const resource *named)
{
	return names_is_hugepages(named->name, named->length) &&
	       names_is_qualified(named->name, named->length);
}

/* Limits of hugepages are the sums of those of the containers (defaultHugePagePodLimits). */
static int
add_hugepages_limits(deadline *end, pod *whole)
{
	resource_list *added = &whole->added[SIDE_LIMIT];
	int result = LIMEN_OK;

	for (size_t i = 0; result != LIMEN_ENOMEM && i < whole->count; i++) {
		const resource_list *limits = &whole->containers[i].given.lists[SIDE_LIMIT];

		for (size_t j = 0; result != LIMEN_ENOMEM && j < limits->count; j++) {
			const resource *limit = &limits->items[j];

			if (!is_hugepages(limit) ||
			    resource_list_find(&whole->own.lists[SIDE_LIMIT], limit) != NULL ||
			    resource_list_find(added, limit) != NULL)
				continue;
			result = add_sum(end, whole, SIDE_LIMIT, *limit, NULL);
			if (result == LIMEN_OK)
				qsort(added->items, added->count, sizeof *added->items,
				      resource_order);
		}
	}
	return result;
}

/* Requests of hugepages are the limits. */
static int
add_hugepages_requests(const limen_request *req, pod *whole, const resource_list *limits)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < limits->count; i++) {
		resource one = limits->items[i];

		one.origin = ORIGIN_LIMIT;
		if (is_hugepages(&one) &&
		    resource_list_find(&whole->own.lists[SIDE_REQUEST], &one) == NULL)
			result = addition_append(req, &whole->added[SIDE_REQUEST], &one);
	}
	return result;
}

/*
 * A pod with limits of its own requests what its containers do or, if they say nothing, those
 * limits (SetDefaults_Pod, defaultPodRequests).
 */
static int
add_pod_level(deadline *end, pod *whole)
{
	/* LimitRanger reads two resources of a pod as a whole. */
	static const char *const names[] = { "cpu", "memory" };
	const resource_list *limits = &whole->own.lists[SIDE_LIMIT];
	const resource_list *requests = &whole->own.lists[SIDE_REQUEST];
	int result = LIMEN_OK;

	if (limits->count + requests->count > 0)
		result = add_hugepages_limits(end, whole);
	if (limits->count + whole->added[SIDE_LIMIT].count == 0)
		return result;
	for (size_t i = 0; result != LIMEN_ENOMEM && i < sizeof names / sizeof *names; i++) {
		resource one = { .item = NULL };

		resource_name(&one, names[i], strlen(names[i]));
		if (resource_list_find(requests, &one) == NULL)
			result = add_sum(end, whole, SIDE_REQUEST, one,
			                 resource_list_find(limits, &one));
	}
	if (result != LIMEN_ENOMEM)
		result = add_hugepages_requests(end->request, whole, limits);
	if (result == LIMEN_OK)
		result = add_hugepages_requests(end->request, whole, &whole->added[SIDE_LIMIT]);
	return result;
}

int
api_rules_collect(deadline *end, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++)
		result = copy_limits(end->request, &whole->containers[i].given,
		                     &whole->containers[i].added[SIDE_REQUEST]);
	if (result == LIMEN_OK)
		result = add_pod_level(end, whole);
	if (end->leave_early)
		return LIMEN_ERANGE;
	/* A sum that cannot be told is left for the check to refuse. */
	return result == LIMEN_ERANGE ? LIMEN_OK : result;
}

void
api_rules_round(limen_reply *reply, const requirements *given, limen_value node,
                const char *pointer)
{
	limen_value resources = limen_value_get(node, "resources");

	for (unsigned where = 0; where < SIDE_COUNT; where++) {
		const resource_list *list = &given->lists[where];
		limen_value map = limen_value_get(resources, side_fields[where]);

		for (size_t i = 0; i < list->count; i++) {
			const resource *value = &list->items[i];
			char text[VALUE_TEXT_MAX];

			if (!value->rounded || !names_is_qualified(value->name, value->length))
				continue;
			limen_reply_set_string(reply, map, value->name, text,
			                       limen_quantity_print(&value->quantity, text,
			                                            sizeof text));
			origin_report(reply, pointer, (side)where, value, "rounded up");
		}
	}
}
