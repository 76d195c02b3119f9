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
copy_limits(const limen_request *req, const requirements *given, additions *requests)
{
	const resource_list *limits = &given->lists[SIDE_LIMIT];
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < limits->count; i++) {
		const resource *limit = &limits->items[i];

		if (resource_list_find(&given->lists[SIDE_REQUEST], limit) == NULL &&
		    names_is_qualified(limit->name, limit->length))
			result = addition_append(req, requests,
			                         &(addition){ .value = limit,
			                                      .source = limit,
			                                      .origin = ORIGIN_LIMIT });
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
	static const char *const names[POD_LEVEL_COUNT] = { "cpu", "memory" };
	int result = LIMEN_OK;

	if (whole->own.lists[SIDE_LIMIT].count == 0)
		return LIMEN_OK;
	whole->level = limen_request_alloc(req, POD_LEVEL_COUNT * sizeof *whole->level);
	if (whole->level == NULL)
		return LIMEN_ENOMEM;
	memset(whole->level, 0, POD_LEVEL_COUNT * sizeof *whole->level);
	for (size_t i = 0; result != LIMEN_ENOMEM && i < POD_LEVEL_COUNT; i++) {
		resource *named = &whole->level[i];
		addition one = { .value = named, .source = named, .origin = ORIGIN_SUM };
		total sum;

		resource_name(named, names[i], strlen(names[i]));
		if (resource_list_find(&whole->own.lists[SIDE_REQUEST], named) != NULL)
			continue;
		result = pod_total(whole, SIDE_REQUEST, named, true, &sum);
		named->quantity = sum.value.quantity;
		named->milli = sum.value.milli;
		if (result == LIMEN_OK && !sum.there) {
			one.origin = ORIGIN_LIMIT;
			one.source = resource_list_find(&whole->own.lists[SIDE_LIMIT], named);
			one.value = one.source;
		}
		if (result == LIMEN_OK && one.value != NULL)
			result = addition_append(req, &whole->added[SIDE_REQUEST], &one);
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
