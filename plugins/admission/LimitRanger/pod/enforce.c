/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enforce.c - checks objects against LimitRanges: each container or claim, and the sum of
 * all containers of a pod.
 */
#include "../limit_ranger.h"

/* In the order in which Kubernetes checks them; the first two are for "require" alone. */
static const constraint_row of_strict_pods[] = {
	{ LIST_DEFAULT_REQUEST, SIDE_REQUEST, constraint_required },
	{ LIST_DEFAULT, SIDE_LIMIT, constraint_required },
	{ LIST_MIN, SIDE_REQUEST, constraint_usage },
	{ LIST_MAX, SIDE_LIMIT, constraint_usage },
	{ LIST_RATIO, SIDE_REQUEST, constraint_ratio },
	{ 0, SIDE_REQUEST, NULL },
};
static const constraint_row *const of_pods = of_strict_pods + 2;

/* Defaults, ratios and limits do not count (PersistentVolumeClaimValidateLimitFunc). */
static const constraint_row of_claims[] = {
	{ LIST_MIN, SIDE_REQUEST, constraint_usage },
	{ LIST_MAX, SIDE_REQUEST, constraint_usage },
	{ 0, SIDE_REQUEST, NULL },
};

static bool
is_same(const resource *a, const resource *b)
{
	return a == NULL || b == NULL ? a == b : amount_compare(a, b) == 0;
}

/* Looks up a resource; false if it need not be checked, as an update leaves it as it was. */
static bool
take_values(subject *checked, const container *element, const requirements *before,
            const resource *named)
{
	bool claim = checked->item->type == ITEM_CLAIM;
	const resource **values = checked->values;

	values[SIDE_REQUEST] = container_value(element, SIDE_REQUEST, named);
	values[SIDE_LIMIT] = claim ? NULL : container_value(element, SIDE_LIMIT, named);
	if (before == NULL || (claim && values[SIDE_REQUEST] == NULL))
		return true;
	for (size_t i = 0; i < (claim ? SIDE_LIMIT : SIDE_COUNT); i++)
		if (!is_same(values[i], resource_list_find(&before->lists[i], named)))
			return true;
	return false;
}

static void
check_container(subject *checked, const container *element, const requirements *before)
{
	bool claim = checked->item->type == ITEM_CLAIM;
	bool strict = checked->item->defaulting == DEFAULTING_REQUIRE;
	const constraint_row *row = claim ? of_claims : strict ? of_strict_pods : of_pods;

	checked->container = claim ? NULL : element;
	for (; row->check != NULL; row++) {
		const resource_list *bounds = &checked->item->lists[row->list];

		for (size_t i = 0; i < bounds->count; i++)
			if (take_values(checked, element, before, &bounds->items[i]))
				row->check(checked, row, &bounds->items[i]);
	}
}

static void
check_containers(subject *checked, const pod *whole, const former *before)
{
	deadline *end = &checked->run->end;
	size_t size = range_item_size(checked->item);

	for (size_t i = 0; i < whole->count; i++) {
		const container *element = &whole->containers[i];
		const container *then;

		if (must_leave(end, 1 + size))
			return;
		if (container_is_settled(element, checked->item) ||
		    !item_has_container(checked->item, element, end))
			continue;
		then = former_container(before, element);
		check_container(checked, element, then == NULL ? NULL : &then->given);
	}
}

static const resource *
get_total(const total *from)
{
	return from->there ? &from->value : NULL;
}

static bool
is_total_unchanged(const subject *checked, const former *before, const resource *named)
{
	bool same = before->pod.count > 0;

	for (unsigned i = 0; same && i < SIDE_COUNT; i++) {
		total then;

		same = pod_total(&before->pod, (side)i, named, true, &then) == LIMEN_OK &&
		       is_same(checked->values[i], get_total(&then));
		total_clear(&then);
	}
	return same;
}

static void
check_total(subject *checked, const pod *whole, const former *before, const resource *bound,
            const constraint_row *row)
{
	/* Printing, ratios and bounds that do not fit thousandths need exact quantities. */
	bool exact = checked->run->reply != NULL || row->list == LIST_RATIO ||
	             bound->milli == MILLI_LARGE;
	total now[SIDE_COUNT];
	bool known = true;

	for (unsigned i = 0; i < SIDE_COUNT; i++) {
		int result = pod_total(whole, (side)i, bound, exact, &now[i]);

		checked->values[i] = get_total(&now[i]);
		known = known && result == LIMEN_OK;
		if (result == LIMEN_ERANGE)
			constraint_unknown(checked, (side)i, bound);
		else if (result != LIMEN_OK)
			checked->run->result = result;
	}
	if (known && !is_total_unchanged(checked, before, bound))
		row->check(checked, row, bound);
	for (size_t i = 0; i < SIDE_COUNT; i++)
		total_clear(&now[i]);
}

static void
check_totals(subject *checked, const pod *whole, const former *before)
{
	size_t count = whole->count + before->pod.count;

	for (const constraint_row *row = of_pods; row->check != NULL; row++) {
		const resource_list *bounds = &checked->item->lists[row->list];

		for (size_t i = 0; i < bounds->count; i++) {
			if (must_leave(&checked->run->end, count))
				return;
			check_total(checked, whole, before, &bounds->items[i], row);
		}
	}
}

static void
check_range(enforcement *run, const limit_range *range, const pod *whole, const former *before)
{
	bool refused = run->violations > 0;

	for (size_t i = 0; i < range->count && !must_leave(&run->end, 1); i++) {
		subject checked = { .run = run, .range = range, .item = &range->items[i] };

		/* After an earlier refusal, only items with REPORT_ALL are checked. */
		if (!scope_has_item(run->about, checked.item) ||
		    (refused && checked.item->report != REPORT_ALL) ||
		    !item_selects(checked.item, run->about, &run->end))
			continue;
		if (checked.item->type == ITEM_POD)
			check_totals(&checked, whole, before);
		else
			check_containers(&checked, whole, before);
	}
}

/* Checks all values of an update, unless the option "updates" leaves out what stays equal. */
static void
check_ranges(enforcement *run, const pod *whole)
{
	const scope *within = run->about;
	bool changed = run->self->updates == UPDATES_CHANGED;
	former before;

	run->result = former_read(&before, run->request, changed ? within->old : limen_value_none(),
	                          within->is_pod);
	for (size_t i = 0;
	     run->result == LIMEN_OK && !run->end.leave_early && i < within->count; i++)
		check_range(run, within->ranges[i], whole, &before);
	former_clear(&before);
}

/* The verdict of the checks that were made. */
static limen_verdict
conclude(const enforcement *run)
{
	const char *why = run->end.leave_early ? DEADLINE_TEXT : NULL;

	/* A violation refuses the object, even if other checks failed. */
	if (run->violations > 0) {
		if (why != NULL)
			limen_reply_violation(run->reply, LIMEN_CLASS_INVALID, NULL,
			                      "not everything was checked: %s", why);
		return LIMEN_FAIL;
	}
	if (run->result == LIMEN_OK && why == NULL)
		return LIMEN_PASS;
	limen_reply_reason(run->reply, "%s", why != NULL ? why : limen_result_text(run->result));
	return LIMEN_ERROR;
}

bool
enforce_defaults(const range_item *item, const container *element)
{
	enforcement run = { .silent = true };
	subject checked = { .run = &run, .item = item };

	check_container(&checked, element, NULL);
	return run.violations == 0 && run.result == LIMEN_OK;
}

bool
enforce_known(const limit_ranger *self, const scope *within, const limen_request *req,
              const pod *known)
{
	enforcement run = { .self = self,
		            .about = within,
		            .request = req,
		            .silent = true,
		            .end = { .request = req } };

	check_ranges(&run, known);
	return run.violations == 0 && run.result == LIMEN_OK && !run.end.leave_early;
}

limen_verdict
enforce(const limit_ranger *self, const scope *within, const limen_request *req, limen_reply *reply)
{
	enforcement run = { .self = self,
		            .about = within,
		            .request = req,
		            .reply = reply,
		            .text = { .request = req },
		            .end = { .request = req } };
	pod whole;
	int result = within->is_pod ? pod_read(&whole, req, within->object, reply)
	                           : claim_read(&whole, req, within->object, reply);

	if (result == LIMEN_OK)
		check_ranges(&run, &whole);
	else if (result == LIMEN_EINVAL)
		run.violations++;
	else
		run.result = result;
	pod_clear(&whole);
	if (run.received != NULL)
		former_clear(run.received);
	return conclude(&run);
}
