/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enforce.c - holds a pod against LimitRanges: its containers one by one, and
 * all of them together.
 */
#include "constraint.h"

typedef void (*constraint_check)(const subject *about, const resource *bound);

/* The lists that bound something, in the order in which Kubernetes checks them. */
static const struct {
	size_t list;
	constraint_check check;
} constraints[] = {
	{ LIST_MIN, constraint_min },
	{ LIST_MAX, constraint_max },
	{ LIST_RATIO, constraint_ratio },
};

#define CONSTRAINT_COUNT (sizeof constraints / sizeof constraints[0])

static bool
is_same(const limen_quantity *a, const limen_quantity *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return limen_quantity_compare(a, b) == 0;
}

/* A resize is not held against what it leaves as it was. */
static bool
is_unchanged(const subject *about, const requirements *before, const resource *named)
{
	if (before == NULL)
		return false;
	for (size_t i = 0; i < SIDE_COUNT; i++) {
		if (!is_same(about->values[i], resource_list_get(&before->lists[i], named)))
			return false;
	}
	return true;
}

/* Looks up a resource of the container; false if it need not be checked. */
static bool
take_values(subject *about, const requirements *before, const resource *named)
{
	for (size_t i = 0; i < SIDE_COUNT; i++)
		about->values[i] =
			resource_list_get(&about->container->given.lists[i], named);
	return !is_unchanged(about, before, named);
}

/* The units of 'count' bounds: each is looked up, and compared, on both sides, now and before. */
static bool
charge(const subject *about, const requirements *before, size_t count)
{
	uint64_t cost = 4 + requirements_digits(&about->container->given);

	if (before != NULL)
		cost += requirements_digits(before);
	return work_charge(&about->run->done, cost * count);
}

static void
check_required(subject *about, const requirements *before, side which, const resource_list *list)
{
	if (!charge(about, before, list->count))
		return;
	for (size_t i = 0; i < list->count; i++) {
		if (take_values(about, before, &list->items[i]))
			constraint_required(about, which, &list->items[i]);
	}
}

static void
check_container(subject *about, const requirements *before)
{
	const resource_list *lists = about->item->lists;

	if (about->item->defaulting == DEFAULTING_REQUIRE) {
		check_required(about, before, SIDE_REQUEST, &lists[LIST_DEFAULT_REQUEST]);
		check_required(about, before, SIDE_LIMIT, &lists[LIST_DEFAULT]);
	}
	for (size_t i = 0; i < CONSTRAINT_COUNT; i++) {
		const resource_list *bounds = &lists[constraints[i].list];

		if (!charge(about, before, bounds->count))
			return;
		for (size_t j = 0; j < bounds->count; j++) {
			if (take_values(about, before, &bounds->items[j]) &&
			    charge_lengthy(&about->run->done, &bounds->items[j]))
				constraints[i].check(about, &bounds->items[j]);
		}
	}
}

/*
 * Of finding a container among those before, by its name: that many names are compared at
 * most, 64 bytes at once.
 */
#define FORMER_COST 16

static bool
charge_former(work *done, const container *one)
{
	size_t length = 0;

	limen_value_string(one->name, &length);
	return work_charge(done, FORMER_COST * (1 + (uint64_t)length / 64));
}

static void
check_containers(subject *about, const pod *whole, const former *before)
{
	work *done = &about->run->done;

	if (!work_charge(done, whole->count))
		return;
	for (size_t i = 0; i < whole->count && done->why == NULL; i++) {
		about->container = &whole->containers[i];
		if (!item_has_container(about->item, about->container, done))
			continue;
		if (before->whole != NULL && !charge_former(done, about->container))
			return;
		check_container(about, former_find(before, about->container));
	}
}

/* The totals of one resource; 'there' says which values are to be cleared. */
typedef struct totals {
	limen_quantity values[SIDE_COUNT];
	int results[SIDE_COUNT];
} totals;

static void
add_up(totals *out, const pod *whole, const resource *named, work *done)
{
	for (unsigned i = 0; i < SIDE_COUNT; i++)
		out->results[i] = pod_total(whole, (side)i, named, done, &out->values[i]);
}

static const limen_quantity *
get_total(const totals *from, unsigned which)
{
	return from->results[which] == LIMEN_OK ? &from->values[which] : NULL;
}

static void
clear_totals(totals *of)
{
	for (size_t i = 0; i < SIDE_COUNT; i++) {
		if (of->results[i] == LIMEN_OK)
			limen_quantity_clear(&of->values[i]);
	}
}

static bool
is_known(int result)
{
	return result == LIMEN_OK || result == LIMEN_ENOENT;
}

static bool
is_total_unchanged(const totals *now, const former *before, const resource *named, work *done)
{
	totals then;
	bool same = true;

	if (before->whole == NULL)
		return false;
	add_up(&then, before->whole, named, done);
	for (unsigned i = 0; i < SIDE_COUNT; i++)
		same = same && is_known(then.results[i]) &&
		       is_same(get_total(now, i), get_total(&then, i));
	clear_totals(&then);
	return same;
}

static void
check_total(subject *about, const pod *whole, const former *before, const resource *bound,
            constraint_check check)
{
	work *done = &about->run->done;
	totals now;
	bool known = true;

	add_up(&now, whole, bound, done);
	for (unsigned i = 0; i < SIDE_COUNT && done->why == NULL; i++) {
		about->values[i] = get_total(&now, i);
		known = known && is_known(now.results[i]);
		if (now.results[i] == LIMEN_ERANGE)
			constraint_unknown(about, (side)i, bound);
		else if (!is_known(now.results[i]))
			about->run->result = now.results[i];
	}
	if (known && done->why == NULL && !is_total_unchanged(&now, before, bound, done) &&
	    charge_compared(done, bound, about->values))
		check(about, bound);
	clear_totals(&now);
}

static void
check_totals(subject *about, const pod *whole, const former *before)
{
	uint64_t cost = pod_cost(whole);

	if (before->whole != NULL)
		cost += pod_cost(before->whole);
	about->container = NULL;
	for (size_t i = 0; i < CONSTRAINT_COUNT; i++) {
		const resource_list *bounds = &about->item->lists[constraints[i].list];

		for (size_t j = 0; j < bounds->count; j++) {
			if (!work_charge(&about->run->done, cost))
				return;
			check_total(about, whole, before, &bounds->items[j],
			            constraints[i].check);
		}
	}
}

static void
check_range(enforcement *run, const limit_range *range, const pod *whole, const former *before)
{
	bool refused = run->violations > 0;

	for (size_t i = 0; i < range->count && run->done.why == NULL; i++) {
		subject about = { .run = run, .range = range, .item = &range->items[i] };

		if (!constraint_applies(&about, refused))
			continue;
		if (about.item->type == ITEM_CONTAINER)
			check_containers(&about, whole, before);
		else if (about.item->type == ITEM_POD)
			check_totals(&about, whole, before);
	}
}

static void
check_ranges(enforcement *run, const pod *whole)
{
	former before;

	run->result = former_read(&before, run->request, run->about->old);
	for (size_t i = 0; run->result == LIMEN_OK && run->done.why == NULL &&
	                   i < run->about->count; i++)
		check_range(run, run->about->ranges[i], whole, &before);
	former_clear(&before);
}

limen_verdict
enforce_pod(const limit_ranger *self, const scope *about, const limen_request *req,
            limen_reply *reply)
{
	enforcement run = { .self = self,
		            .about = about,
		            .request = req,
		            .reply = reply,
		            .done = work_start(req) };
	pod whole;
	int result = pod_read(&whole, req, about->object, reply);

	if (result == LIMEN_OK)
		check_ranges(&run, &whole);
	else if (result == LIMEN_EINVAL)
		run.violations++;
	else
		run.result = result;
	pod_clear(&whole);
	former_clear(&run.received);
	return constraint_verdict(&run);
}
