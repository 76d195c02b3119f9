/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.c - what a pod asks for as a whole, by the rule of Kubernetes 1.28
 * and later: the containers and sidecars that run together, or what is needed
 * while an init container runs, whichever is more.
 */
#include <string.h>

#include "../limit_ranger.h"

/* A sum that may not have begun. */
typedef struct total {
	limen_quantity value;
	bool there;
} total;

/*
 * Counts what adding 'value' to 'sum' (NULL: copying it) takes, where either has many digits.
 * Of texts as short as "1e10000" and "1" a sum has 10,000 digits, and of many of them more
 * with each.  False: 'done' is over.
 */
static bool
charge_sum(work *done, const limen_quantity *sum, const limen_quantity *value)
{
	size_t size = limen_quantity_size(value);

	size += sum == NULL ? LIMEN_QUANTITY_DIGITS : limen_quantity_size(sum);
	return size <= 2 * (size_t)LIMEN_QUANTITY_DIGITS ||
	       work_charge(done, size + LIMEN_QUANTITY_GAP_MAX);
}

static int
add(total *to, const limen_quantity *value, work *done)
{
	if (!charge_sum(done, to->there ? &to->value : NULL, value))
		return LIMEN_ERANGE;
	if (to->there)
		return limen_quantity_add(&to->value, value);
	if (limen_quantity_copy(value, &to->value) != LIMEN_OK)
		return LIMEN_ENOMEM;
	to->there = true;
	return LIMEN_OK;
}

static void
clear(total *sum)
{
	if (sum->there)
		limen_quantity_clear(&sum->value);
	sum->there = false;
}

/* Makes 'to' the greater of the two; 'candidate' may not have begun. */
static int
raise(total *to, const total *candidate, work *done)
{
	if (!candidate->there ||
	    (to->there && limen_quantity_compare(&candidate->value, &to->value) <= 0))
		return LIMEN_OK;
	clear(to);
	return add(to, &candidate->value, done);
}

/* What is needed while an ordinary init container runs: itself and the sidecars before it. */
static int
raise_to_step(total *peak, const limen_quantity *own, const total *sidecars, work *done)
{
	total step = { .there = false };
	int result = own == NULL ? LIMEN_OK : add(&step, own, done);

	if (result == LIMEN_OK && sidecars->there)
		result = add(&step, &sidecars->value, done);
	if (result == LIMEN_OK)
		result = raise(peak, &step, done);
	clear(&step);
	return result;
}

static int
add_sidecar(total *sum, total *sidecars, const limen_quantity *own, work *done)
{
	int result = own == NULL ? LIMEN_OK : add(sum, own, done);

	return result != LIMEN_OK || own == NULL ? result : add(sidecars, own, done);
}

static int
add_containers(const pod *whole, side which, const resource *named, work *done, total *sum,
               total *peak)
{
	total sidecars = { .there = false };
	int result = LIMEN_OK;

	for (size_t i = 0; result == LIMEN_OK && i < whole->count; i++) {
		const container *one = &whole->containers[i];
		const limen_quantity *own = container_value(one, which, named);

		if (one->sidecar)
			result = add_sidecar(sum, &sidecars, own, done);
		else if (one->init)
			result = raise_to_step(peak, own, &sidecars, done);
		else if (own != NULL)
			result = add(sum, own, done);
	}
	clear(&sidecars);
	return result;
}

/* Most pods have no init containers. */
static int
add_regular(const pod *whole, side which, const resource *named, work *done,
            limen_quantity *out)
{
	int result = LIMEN_ENOENT;

	for (size_t i = 0; i < whole->regular; i++) {
		const limen_quantity *own = container_value(&whole->containers[i], which, named);
		bool first = result == LIMEN_ENOENT;

		if (own == NULL)
			continue;
		if (!charge_sum(done, first ? NULL : out, own))
			result = LIMEN_ERANGE;
		else
			result = first ? limen_quantity_copy(own, out) : limen_quantity_add(out, own);
		if (result == LIMEN_OK)
			continue;
		if (!first)
			limen_quantity_clear(out);
		return result;
	}
	return result;
}

static int
add_all(const pod *whole, side which, const resource *named, work *done, limen_quantity *out)
{
	total sum = { .there = false };
	total peak = { .there = false };
	int result = add_containers(whole, which, named, done, &sum, &peak);

	if (result == LIMEN_OK)
		result = raise(&sum, &peak, done);
	clear(&peak);
	if (result == LIMEN_OK && !sum.there)
		return LIMEN_ENOENT;
	if (result == LIMEN_OK)
		*out = sum.value;
	else
		clear(&sum);
	return result;
}

static bool
is(const resource *named, const char *name)
{
	return named->length == strlen(name) && memcmp(named->name, name, named->length) == 0;
}

int
pod_total(const pod *whole, side which, const resource *named, work *done, limen_quantity *out)
{
	const limen_quantity *own = resource_list_get(&whole->own.lists[which], named);

	/* Of what a pod asks for itself, LimitRanger looks at these two. */
	if (own != NULL && (is(named, "cpu") || is(named, "memory")))
		return charge_sum(done, NULL, own) ? limen_quantity_copy(own, out) : LIMEN_ERANGE;
	return whole->count == whole->regular ? add_regular(whole, which, named, done, out)
	                                      : add_all(whole, which, named, done, out);
}
