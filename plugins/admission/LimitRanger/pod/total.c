/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.c - sums the requests or limits of a pod, by the rule of Kubernetes 1.28 and
 * later: the sum of its containers and sidecars, or the peak while an init container
 * runs, whichever is more.
 */
#include <string.h>

#include "../limit_ranger.h"

/* 'value' may be NULL: nothing is added. */
static int
add(total *to, const limen_quantity *value)
{
	if (value == NULL)
		return LIMEN_OK;
	if (to->there)
		return limen_quantity_add(&to->value, value);
	to->there = true;
	return limen_quantity_copy(value, &to->value);
}

/* Makes 'to' the greater of the two, and 'other' what it was. */
static void
raise(total *to, total *other)
{
	total before = *to;

	if (!other->there ||
	    (to->there && limen_quantity_compare(&other->value, &to->value) <= 0))
		return;
	*to = *other;
	*other = before;
}

/* Raises 'peak' to the need of an ordinary init container and the sidecars before it. */
static int
raise_to_step(total *peak, const limen_quantity *own, const total *sidecars)
{
	total step = { .there = false };
	int result = add(&step, own);

	if (result == LIMEN_OK && sidecars->there)
		result = add(&step, &sidecars->value);
	if (result == LIMEN_OK)
		raise(peak, &step);
	limen_quantity_clear(&step.value);
	return result;
}

/* Adds the sidecars to 'sum', and raises it to the peak while an init container runs. */
static int
add_init_containers(const pod *whole, side which, const resource *named, total *sum)
{
	total peak = { .there = false };
	total sidecars = { .there = false };
	int result = LIMEN_OK;

	for (size_t i = whole->regular; result == LIMEN_OK && i < whole->count; i++) {
		const container *one = &whole->containers[i];
		const limen_quantity *own = container_value(one, which, named);

		if (!one->sidecar) {
			result = raise_to_step(&peak, own, &sidecars);
			continue;
		}
		result = add(sum, own);
		if (result == LIMEN_OK)
			result = add(&sidecars, own);
	}
	if (result == LIMEN_OK)
		raise(sum, &peak);
	limen_quantity_clear(&peak.value);
	limen_quantity_clear(&sidecars.value);
	return result;
}

int
pod_total(const pod *whole, side which, const resource *named, total *out)
{
	const limen_quantity *own = resource_list_get(&whole->own.lists[which], named);
	int result = LIMEN_OK;

	*out = (total){ .there = false };
	/* Only cpu and memory of the pod as a whole replace the sum of its containers. */
	if (own != NULL && (strcmp(named->name, "cpu") == 0 || strcmp(named->name, "memory") == 0))
		return add(out, own);
	for (size_t i = 0; result == LIMEN_OK && i < whole->regular; i++)
		result = add(out, container_value(&whole->containers[i], which, named));
	if (result == LIMEN_OK && whole->regular < whole->count)
		result = add_init_containers(whole, which, named, out);
	return result;
}
