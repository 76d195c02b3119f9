/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_rules.c - changes a manifest as the API server does before admission (core/v1
 * SetDefaults_Pod): a missing request is set to the limit, and quantities are rounded to
 * thousandths.  The object of an AdmissionReview has these changes already.
 */
#include <string.h>

#include "../limit_ranger.h"
#include "../range/names.h"

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

/*
 * A pod with limits of its own requests what its containers do or, if they say
 * nothing, those limits (SetDefaults_Pod, defaultPodRequests).
 */
static int
add_pod_level(const limen_request *req, pod *whole)
{
	/* LimitRanger reads two resources of a pod as a whole. */
	static const char *const names[] = { "cpu", "memory" };
	int result = LIMEN_OK;

	if (whole->own.lists[SIDE_LIMIT].count == 0)
		return LIMEN_OK;
	for (size_t i = 0; result != LIMEN_ENOMEM && i < sizeof names / sizeof *names; i++) {
		resource one = { .origin = ORIGIN_SUM };
		const resource *limit;
		total sum;

		resource_name(&one, names[i], strlen(names[i]));
		if (resource_list_find(&whole->own.lists[SIDE_REQUEST], &one) != NULL)
			continue;
		limit = resource_list_find(&whole->own.lists[SIDE_LIMIT], &one);
		result = pod_total(whole, SIDE_REQUEST, &one, true, &sum);
		one.quantity = sum.value.quantity;
		one.milli = sum.value.milli;
		if (!sum.there && limit != NULL) {
			one = *limit;
			one.origin = ORIGIN_LIMIT;
		}
		if (result == LIMEN_OK && (sum.there || limit != NULL))
			result = addition_append(req, &whole->added[SIDE_REQUEST], &one);
		if (result != LIMEN_OK)
			total_clear(&sum);
	}
	/* A sum that cannot be told is left for the check to refuse. */
	return result == LIMEN_ENOMEM ? LIMEN_ENOMEM : LIMEN_OK;
}

int
api_rules_collect(const limen_request *req, pod *whole)
{
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++)
		result = copy_limits(req, &whole->containers[i].given,
		                     &whole->containers[i].added[SIDE_REQUEST]);
	return result == LIMEN_OK ? add_pod_level(req, whole) : result;
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
