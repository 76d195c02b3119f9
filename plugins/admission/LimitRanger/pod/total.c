/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.c - sums the requests or limits of a pod, by the rule of Kubernetes 1.28 and
 * later: the sum of its containers and sidecars, or the peak while an init container
 * runs, whichever is more.
 */
#include "../limit_ranger.h"

#include <string.h>

static void
begin(total *sum, bool exact)
{
	sum->value.quantity = (limen_quantity)LIMEN_QUANTITY_INIT;
	sum->value.milli = 0;
	sum->there = false;
	sum->exact = exact;
}

/*
 * 'value' may be NULL: nothing is added.  Once a sum has not fitted thousandths, 'milli' stays
 * MILLI_LARGE, even if later values bring the exact sum back.
 */
static int
add(total *to, const resource *value)
{
	bool first = !to->there;

	if (value == NULL)
		return LIMEN_OK;
	to->there = true;
	if (to->value.milli == MILLI_LARGE || value->milli == MILLI_LARGE ||
	    __builtin_add_overflow(to->value.milli, value->milli, &to->value.milli))
		to->value.milli = MILLI_LARGE;
	if (!to->exact)
		return LIMEN_OK;
	return first ? limen_quantity_copy(&value->quantity, &to->value.quantity)
	             : limen_quantity_add(&to->value.quantity, &value->quantity);
}

/*
 * Makes 'to' the greater of the two, and 'other' what it was.  Without exact quantities
 * MILLI_LARGE is the greatest, so that pod_total() adds up again.
 */
static void
raise(total *to, total *other)
{
	total before = *to;
	bool above = to->exact ? amount_compare(&other->value, &to->value) > 0
	                       : other->value.milli > to->value.milli;

	if (!other->there || (to->there && !above))
		return;
	*to = *other;
	*other = before;
}

/* Raises 'peak' to the need of an ordinary init container and the sidecars before it. */
static int
raise_to_step(total *peak, const resource *own, const total *sidecars)
{
	total step;
	int result;

	begin(&step, peak->exact);
	result = add(&step, own);
	if (result == LIMEN_OK && sidecars->there)
		result = add(&step, &sidecars->value);
	if (result == LIMEN_OK)
		raise(peak, &step);
	total_clear(&step);
	return result;
}

/* Adds the sidecars to 'sum', and raises it to the peak while an init container runs. */
static int
add_init_containers(const pod *whole, side which, const resource *named, total *sum)
{
	total peak;
	total sidecars;
	int result = LIMEN_OK;

	begin(&peak, sum->exact);
	begin(&sidecars, sum->exact);
	for (size_t i = whole->regular; result == LIMEN_OK && i < whole->count; i++) {
		const container *item = &whole->containers[i];
		const resource *own = container_value(item, which, named);

		if (!item->sidecar) {
			result = raise_to_step(&peak, own, &sidecars);
			continue;
		}
		result = add(sum, own);
		if (result == LIMEN_OK)
			result = add(&sidecars, own);
	}
	if (result == LIMEN_OK)
		raise(sum, &peak);
	total_clear(&peak);
	total_clear(&sidecars);
	return result;
}

static int
sum_up(const pod *whole, side which, const resource *named, total *out)
{
	const resource *own = resource_list_find(&whole->own.lists[which], named);
	int result = LIMEN_OK;

	/* Only cpu and memory of the pod as a whole replace the sum of its containers. */
	if (own != NULL && (strcmp(named->name, "cpu") == 0 || strcmp(named->name, "memory") == 0))
		return add(out, own);
	for (size_t i = 0; result == LIMEN_OK && i < whole->regular; i++)
		result = add(out, container_value(&whole->containers[i], which, named));
	if (result == LIMEN_OK && whole->regular < whole->count)
		result = add_init_containers(whole, which, named, out);
	return result;
}

int
pod_total(const pod *whole, side which, const resource *named, bool exact, total *out)
{
	int result;

	for (;; exact = true) {
		begin(out, exact);
		result = sum_up(whole, which, named, out);
		if (exact || out->value.milli != MILLI_LARGE)
			return result;
	}
}
