/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_change.c - the smallest change that would let a refused request pass, as
 * far as modules say which bounds were missed.
 *
 * It chooses the failed application with the fewest missed bounds, where another type of
 * test counts as more than all other bounds, and in a group that needs one limit the limit with
 * the fewest.  A failure by an inversion cannot be worked out.  A failure without a named bound
 * cannot, either, but if its application would be nearer, the limit is kept as 'unexplained'.
 */
#include <string.h>

#include "decision_state.h"

#define CANNOT UINT64_MAX

/* The cost of a failure that names no bound: more than all that is known. */
#define UNEXPLAINED ((uint64_t)1 << 32)

/* The cost of another type of test: a trace is of no use to a client that asks for throughput. */
#define OTHER_TYPE ((uint64_t)1 << 44)

/* Returns how many bounds the request must meet so that this module passes, or CANNOT. */
static uint64_t
cost_of(const limen_trace *item)
{
	if (item->verdict != LIMEN_FAIL || item->inverted)
		return CANNOT;
	/* There may have been more. */
	if (item->bound_count >= TRACE_LISTED_MAX)
		return CANNOT;
	for (size_t i = 0; i < item->bound_count; i++)
		if (strcmp(item->bounds[i].field, "test.type") == 0)
			return item->bound_count + OTHER_TYPE;
	if (item->bound_count > 0)
		return item->bound_count;
	return item->retry_after >= 0 ? 1 : UNEXPLAINED;
}

/* Does every failure behind this cost name its bounds? */
static bool
is_known(uint64_t cost)
{
	return cost != CANNOT && cost % OTHER_TYPE < UNEXPLAINED;
}

static bool
has_failed(const limen_trace *item)
{
	if (item->verdict == LIMEN_SKIP || item->observes)
		return false;
	return item->verdict == LIMEN_ERROR || (item->verdict == LIMEN_FAIL) != item->inverted;
}

static bool
is_asked_by(const limen_trace *item, const limen_step *step)
{
	return item->kind == LIMEN_KIND_LIMIT && item->application == step->application &&
	       item->group == step->group;
}

static bool
is_asked_after(const limen_trace *item, const limen_step *step)
{
	return item->kind == LIMEN_KIND_LIMIT &&
	       (item->application > step->application ||
	        (item->application == step->application && item->group > step->group));
}

/*
 * Returns the cost of a group in which all limits have to pass, or one is enough.  The trace
 * has limits in the order of their groups: those of this group begin at '*next' or later.
 */
static uint64_t
cost_of_group(const limen_decision *decision, const limen_step *step, bool all, size_t *next)
{
	uint64_t sum = 0;
	uint64_t least = CANNOT;

	for (; *next < decision->trace.count; ++*next) {
		const limen_trace *item = &decision->trace_items[*next];
		uint64_t cost;

		if (is_asked_after(item, step))
			break;
		if (!is_asked_by(item, step))
			continue;
		/* Too many limits of a "one" passed: no change is known that makes one fail. */
		if (!has_failed(item) && !all)
			return CANNOT;
		if (!has_failed(item))
			continue;
		cost = cost_of(item);
		least = cost < least ? cost : least;
		sum = cost == CANNOT || sum == CANNOT ? CANNOT : sum + cost;
	}
	return all ? sum : least;
}

static bool
wants_all(const limen_step *step)
{
	return strcmp(step->require, "all") == 0;
}

/*
 * Finds the failed group that costs least, also if the cost is not 'known'; groups behind a
 * stop were not evaluated.
 */
static const limen_step *
find_group(const limen_decision *decision, bool known)
{
	const limen_step *best = NULL;
	uint64_t least = CANNOT;
	size_t next = 0;
	bool inverted = false;

	for (size_t i = 0; i < decision->steps.count; i++) {
		const limen_step *step = &decision->step_items[i];
		uint64_t cost;

		if (step->kind == LIMEN_STEP_APPLICATION)
			inverted = step->inverted || step->observes || step->verdict != LIMEN_FAIL;
		if (step->kind != LIMEN_STEP_GROUP || inverted)
			continue;
		cost = step->verdict != LIMEN_FAIL || strcmp(step->require, "none") == 0
		               ? CANNOT
		               : cost_of_group(decision, step, wants_all(step), &next);
		if (cost < least && (is_known(cost) || !known)) {
			least = cost;
			best = step;
		}
	}
	return best;
}

static void
add(limen_decision *decision, const limen_trace *item)
{
	size_t count = item->bound_count > 0 ? item->bound_count : 1;

	for (size_t i = 0; i < count; i++)
		decision->changes[decision->change_count++] = (limen_change){
			.entry = item,
			.bound = item->bound_count > 0 ? &item->bounds[i] : NULL,
			.wait = item->bound_count > 0 ? -1 : item->retry_after,
		};
}

/* Adds all failed limits of the group, or only the first of the lowest cost. */
static void
add_group(limen_decision *decision, const limen_step *step)
{
	bool all = wants_all(step);
	size_t next = 0;
	uint64_t wanted = cost_of_group(decision, step, all, &next);

	for (size_t i = 0; i < decision->trace.count; i++) {
		const limen_trace *item = &decision->trace_items[i];

		if (!is_asked_by(item, step) || !has_failed(item))
			continue;
		if (!all && cost_of(item) != wanted)
			continue;
		add(decision, item);
		if (!all)
			return;
	}
}

/* Returns the first limit of the group that failed without naming a bound. */
static const limen_trace *
find_unexplained(const limen_decision *decision, const limen_step *step)
{
	for (size_t i = 0; i < decision->trace.count; i++) {
		const limen_trace *item = &decision->trace_items[i];

		if (is_asked_by(item, step) && has_failed(item) && cost_of(item) == UNEXPLAINED)
			return item;
	}
	return NULL;
}

/* Adds the admission entry that refused, if it named a bound for every violation. */
static void
add_refuser(limen_decision *decision)
{
	const limen_trace *refuser = NULL;

	for (size_t i = 0; i < decision->trace.count && decision->entry != NULL; i++) {
		const limen_trace *item = &decision->trace_items[i];

		if (item->kind == LIMEN_KIND_ADMISSION && is_known(cost_of(item)) &&
		    strcmp(item->name, decision->entry) == 0)
			refuser = item;
	}
	if (refuser == NULL)
		return;
	if (refuser->bound_count > 0 ? refuser->bound_count >= decision->violations.count
	                             : decision->code == 429)
		add(decision, refuser);
}

bool
decision_find_change(limen_decision *decision)
{
	const limen_step *step, *nearest;
	size_t room = 0;

	if (decision->admitted || decision->code == 500 || decision->trace.count == 0 ||
	    decision->bounds_untold)
		return true;
	for (size_t i = 0; i < decision->trace.count; i++)
		room += decision->trace_items[i].bound_count + 1;
	decision->changes = arena_calloc(&decision->arena, room, sizeof(*decision->changes));
	if (decision->changes == NULL)
		return false;
	step = find_group(decision, true);
	nearest = find_group(decision, false);
	if (nearest != step)
		decision->unexplained = find_unexplained(decision, nearest);
	if (step != NULL)
		add_group(decision, step);
	else
		add_refuser(decision);
	return true;
}
