/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_change.c - the smallest change that would let a refused request pass, as
 * far as modules say which bounds were missed.
 *
 * Of the applications that failed it is the one with the fewest missed bounds; of a
 * group of which one is enough, the limit with the fewest.  What no bound was named
 * for, and what failed by an inversion, cannot be worked out.
 */
#include <string.h>

#include "decision.h"

#define CANNOT SIZE_MAX

/* How many bounds have to be kept so that this module passes, or CANNOT. */
static size_t
cost_of(const limen_trace *entry)
{
	if (entry->verdict != LIMEN_FAIL || entry->inverted)
		return CANNOT;
	/* There may have been more. */
	if (entry->bound_count >= TRACE_LISTED_MAX)
		return CANNOT;
	if (entry->bound_count > 0)
		return entry->bound_count;
	return entry->retry_after >= 0 ? 1 : CANNOT;
}

static bool
has_failed(const limen_trace *entry)
{
	if (entry->verdict == LIMEN_SKIP)
		return false;
	return entry->verdict == LIMEN_ERROR ||
	       (entry->verdict == LIMEN_FAIL) != entry->inverted;
}

static bool
is_asked_by(const limen_trace *entry, const limen_step *group)
{
	return entry->kind == LIMEN_KIND_LIMIT && entry->application == group->application &&
	       entry->group == group->group;
}

static bool
is_asked_after(const limen_trace *entry, const limen_step *group)
{
	return entry->kind == LIMEN_KIND_LIMIT &&
	       (entry->application > group->application ||
	        (entry->application == group->application && entry->group > group->group));
}

/*
 * Limits of a group, of which all have to pass, or one is enough.  The trace has limits in
 * the order of their groups, so those of this one and of all later ones are at '*next' or
 * behind it.
 */
static size_t
cost_of_group(const limen_decision *decision, const limen_step *group, bool all, size_t *next)
{
	size_t sum = 0;
	size_t least = CANNOT;

	for (; *next < decision->trace_count; ++*next) {
		const limen_trace *entry = &decision->trace_items[*next];
		size_t cost;

		if (is_asked_after(entry, group))
			break;
		if (!is_asked_by(entry, group))
			continue;
		/* Of those that must not pass, "one" has too many. */
		if (!has_failed(entry) && !all)
			return CANNOT;
		if (!has_failed(entry))
			continue;
		cost = cost_of(entry);
		least = cost < least ? cost : least;
		sum = cost == CANNOT || sum == CANNOT ? CANNOT : sum + cost;
	}
	return all ? sum : least;
}

static bool
wants_all(const limen_step *group)
{
	return strcmp(group->require, "all") == 0;
}

static size_t
cost_of_step(const limen_decision *decision, const limen_step *group, size_t *next)
{
	if (group->verdict != LIMEN_FAIL || strcmp(group->require, "none") == 0)
		return CANNOT;
	return cost_of_group(decision, group, wants_all(group), next);
}

/* The failed group that costs least; of those after a stop nobody was asked. */
static const limen_step *
find_group(const limen_decision *decision)
{
	const limen_step *best = NULL;
	size_t least = CANNOT;
	size_t next = 0;
	bool inverted = false;

	for (size_t i = 0; i < decision->step_count; i++) {
		const limen_step *step = &decision->step_items[i];
		size_t cost;

		if (step->kind == LIMEN_STEP_APPLICATION)
			inverted = step->inverted || step->verdict != LIMEN_FAIL;
		if (step->kind != LIMEN_STEP_GROUP || inverted)
			continue;
		cost = cost_of_step(decision, step, &next);
		if (cost < least) {
			least = cost;
			best = step;
		}
	}
	return best;
}

static void
add(limen_decision *decision, const limen_trace *entry)
{
	size_t count = entry->bound_count > 0 ? entry->bound_count : 1;

	for (size_t i = 0; i < count; i++)
		decision->changes[decision->change_count++] = (limen_change){
			.entry = entry,
			.bound = entry->bound_count > 0 ? &entry->bounds[i] : NULL,
			.wait = entry->bound_count > 0 ? -1 : entry->retry_after,
		};
}

/* All that failed in the group, or the first that costs no more than the others. */
static void
add_group(limen_decision *decision, const limen_step *group)
{
	bool all = wants_all(group);
	size_t next = 0;
	size_t wanted = cost_of_group(decision, group, all, &next);

	for (size_t i = 0; i < decision->trace_count; i++) {
		const limen_trace *entry = &decision->trace_items[i];

		if (!is_asked_by(entry, group) || !has_failed(entry))
			continue;
		if (!all && cost_of(entry) != wanted)
			continue;
		add(decision, entry);
		if (!all)
			return;
	}
}

/* The admission entry that refused, if it named a bound for every violation. */
static void
add_refuser(limen_decision *decision)
{
	const limen_trace *refuser = NULL;

	for (size_t i = 0; i < decision->trace_count && decision->entry != NULL; i++) {
		const limen_trace *entry = &decision->trace_items[i];

		if (entry->kind == LIMEN_KIND_ADMISSION && cost_of(entry) != CANNOT &&
		    strcmp(entry->name, decision->entry) == 0)
			refuser = entry;
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
	const limen_step *group;
	size_t room = 0;

	if (decision->admitted || decision->code == 500 || decision->trace_count == 0 ||
	    decision->bounds_untold)
		return true;
	for (size_t i = 0; i < decision->trace_count; i++)
		room += decision->trace_items[i].bound_count + 1;
	decision->changes = arena_calloc(&decision->arena, room, sizeof(*decision->changes));
	if (decision->changes == NULL)
		return false;
	group = find_group(decision);
	if (group != NULL)
		add_group(decision, group);
	else
		add_refuser(decision);
	return true;
}
