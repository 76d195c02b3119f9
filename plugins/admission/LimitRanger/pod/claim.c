/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.c - holds the requests of a PersistentVolumeClaim against LimitRanges.
 * Defaults, ratios and the claim's limits do not count (LimitRanger,
 * PersistentVolumeClaimValidateLimitFunc).
 */
#include "constraint.h"

static int
read_claim(requirements *out, const limen_request *req, limen_value claim, limen_reply *reply)
{
	limen_value spec = limen_value_get(claim, "spec");

	*out = (requirements){ .lists = { { .items = NULL } } };
	if (!metadata_check(req, claim, reply))
		return LIMEN_EINVAL;
	if (limen_value_type(spec) == LIMEN_TYPE_OBJECT)
		return requirements_read(out, req, spec, "spec", reply);
	if (reply != NULL)
		limen_reply_violation(reply, LIMEN_INVALID, "spec",
		                      "spec: Invalid value: must be an object");
	return LIMEN_EINVAL;
}

/* An update is not held against a request that stays as it was. */
static bool
is_unchanged(const limen_quantity *now, const requirements *before, const resource *named)
{
	const limen_quantity *then = resource_list_get(&before->lists[SIDE_REQUEST], named);

	return now != NULL && then != NULL && limen_quantity_compare(now, then) == 0;
}

static void
check_list(subject *about, const requirements *now, const requirements *before,
           const resource_list *bounds, void (*check)(const subject *, const resource *))
{
	uint64_t cost = 2 + requirements_digits(now) + requirements_digits(before);

	if (!work_charge(&about->run->done, cost * bounds->count))
		return;
	for (size_t i = 0; i < bounds->count; i++) {
		const resource *bound = &bounds->items[i];
		const limen_quantity *request =
			resource_list_get(&now->lists[SIDE_REQUEST], bound);

		if (is_unchanged(request, before, bound))
			continue;
		about->values[SIDE_REQUEST] = request;
		if (!charge_lengthy(&about->run->done, bound))
			return;
		check(about, bound);
	}
}

static void
check_range(enforcement *run, const limit_range *range, const requirements *now,
            const requirements *before)
{
	bool refused = run->violations > 0;

	for (size_t i = 0; i < range->count && run->done.why == NULL; i++) {
		const range_item *item = &range->items[i];
		subject about = { .run = run, .range = range, .item = item };

		if (item->type != ITEM_CLAIM || !constraint_applies(&about, refused))
			continue;
		check_list(&about, now, before, &item->lists[LIST_MIN], constraint_min);
		check_list(&about, now, before, &item->lists[LIST_MAX], constraint_max_request);
	}
}

static void
check_ranges(enforcement *run, const requirements *now)
{
	requirements before = { .lists = { { .items = NULL } } };
	int result = LIMEN_OK;

	if (limen_value_type(run->about->old) == LIMEN_TYPE_OBJECT)
		result = read_claim(&before, run->request, run->about->old, NULL);
	/* With nothing readable to compare with, everything is checked. */
	if (result == LIMEN_EINVAL)
		requirements_clear(&before);
	else
		run->result = result;
	for (size_t i = 0; run->result == LIMEN_OK && run->done.why == NULL &&
	                   i < run->about->count; i++)
		check_range(run, run->about->ranges[i], now, &before);
	requirements_clear(&before);
}

limen_verdict
enforce_claim(const limit_ranger *self, const scope *about, const limen_request *req,
              limen_reply *reply)
{
	enforcement run = { .self = self,
		            .about = about,
		            .request = req,
		            .reply = reply,
		            .done = work_start(req) };
	requirements now;
	int result = read_claim(&now, req, about->object, reply);

	if (result == LIMEN_OK)
		check_ranges(&run, &now);
	else if (result == LIMEN_EINVAL)
		run.violations++;
	else
		run.result = result;
	requirements_clear(&now);
	return constraint_verdict(&run);
}
