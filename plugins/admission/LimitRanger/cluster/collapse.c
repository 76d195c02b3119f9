/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collapse.c - what becomes of LimitRanges that are too many together.
 *
 * Of the namespace that has most of them nothing is kept but that it is closed, which counts
 * as one LimitRange: so there is a bound for how many such namespaces there are.  Where each
 * namespace counts as one already there is no room for another, and while there is such a one
 * nobody of whom nothing is kept is known to have none.  A namespace that is closed is open
 * again only after a list that brought all it has, in two steps: a list brings the names, if
 * there is room for as many, and whoever has its names and no more waits for the turn of its
 * text (crowd.c).  So none of the others loses text to one that turns out to have
 * too many still.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

/* How many objects it has, as far as is known, if so many are kept. */
static size_t
get_size(const cluster_share *one, size_t count)
{
	return one->collapsed && one->estimate > count ? one->estimate : count;
}

static bool
is_after(const cluster_share *one, size_t size, const cluster_share *other, size_t other_size)
{
	if (size != other_size)
		return size > other_size;
	return strcmp(one->namespace, other->namespace) > 0;
}

/* ---- who loses ---- */

/* Would there be more room without what is kept of it, of which so many are named? */
static bool
makes_room(const cluster_share *share, size_t named)
{
	return named > (share->collapsed ? 0 : 1);
}

/*
 * Returns the one that has most with one more of 'share' ('known': it has had it before), of
 * those that make room by it; NULL: there is none.  What the list that is under way has not
 * named yet counts here, as it may come.
 */
static cluster_share *
find_largest(const cluster_shares *shares, const cluster_share *share, bool known)
{
	cluster_share *largest = NULL;
	size_t most = 0;

	for (size_t i = 0; i < shares->count; i++) {
		cluster_share *one = shares->items[i];
		size_t more = one == share ? 1 : 0;
		size_t size = get_size(one, one->count + (known ? 0 : more));

		if (!makes_room(one, one->count - one->unnamed + more) ||
		    (largest != NULL && !is_after(one, size, largest, most)))
			continue;
		largest = one;
		most = size;
	}
	return largest;
}

/* Nothing of 'share' is kept any more; or all is as it was, as memory is short. */
static bool
lose(cluster_objects *objects, cluster_share *share)
{
	bool found;
	size_t index = cluster_objects_find(objects, share->namespace, "", &found);
	cluster_object *items = &objects->items[index];
	size_t count = share->count;

	if (!cluster_gone_reserve(objects, count))
		return false;
	for (size_t i = 0; i < count; i++) {
		objects->bytes -= items[i].kept->size;
		cluster_gone_add(objects, &items[i]);
	}
	objects->count -= count;
	objects->unnamed -= share->unnamed;
	memmove(items, items + count, (objects->count - index) * sizeof *items);
	share->estimate = get_size(share, count);
	cluster_shares_collapse(&objects->shares, share);
	return true;
}

/* What is gone but for a list that says so has room beside what is there, as long as that. */
static bool
is_room(const cluster_objects *objects)
{
	size_t named = objects->count - objects->unnamed;

	return named + objects->shares.collapsed_count < CLUSTER_OBJECTS_MAX &&
	       objects->count / 2 < CLUSTER_OBJECTS_MAX;
}

bool
cluster_collapse(cluster_objects *objects, const cluster_share *share, bool known,
                 char why[KUBE_ERROR_MAX])
{
	cluster_share *largest;

	if (is_room(objects))
		return true;
	largest = find_largest(&objects->shares, share, known);
	if (largest != NULL && lose(objects, largest))
		return true;
	objects->full = objects->full || largest == NULL;
	snprintf(why, KUBE_ERROR_MAX, "%s",
	         largest == NULL ? "there are LimitRanges in too many namespaces"
	                         : limen_result_text(LIMEN_ENOMEM));
	return false;
}

bool
cluster_collapse_holds(const cluster_share *share)
{
	return share->collapsed && !share->taking;
}

void
cluster_collapse_drop(cluster_objects *objects, const char *namespace)
{
	cluster_share *share = cluster_shares_find(&objects->shares, namespace);

	/* Those that came since were not counted: they look like those that have changed. */
	if (share != NULL && share->collapsed && share->estimate > 0)
		share->estimate--;
}

/* ---- whose turn it is ---- */

static int
compare(const void *one, const void *other)
{
	const cluster_share *first = *(cluster_share *const *)one;
	const cluster_share *second = *(cluster_share *const *)other;

	return is_after(first, get_size(first, first->count), second,
	                get_size(second, second->count))
	               ? 1
	               : -1;
}

/*
 * From the one that has fewest to the one that has most, as long as there is room, where the
 * others count as one each.  Is there any of 'namespace' (NULL: of all) that is collapsed?  With
 * 'take' its objects are taken from now on.  False as well when memory is short.
 */
static bool
turn(const cluster_shares *shares, const char *namespace, bool take)
{
	cluster_share **sorted = shares->collapsed_count == 0
	                                 ? NULL
	                                 : cluster_shares_sort(shares, compare);
	size_t needed = shares->count;
	bool any = false;

	for (size_t i = 0; sorted != NULL && i < shares->count; i++) {
		cluster_share *one = sorted[i];

		/* Until the list has ended a namespace counts beside its objects. */
		needed += get_size(one, one->count) - (one->collapsed ? 0 : 1);
		if (needed > CLUSTER_OBJECTS_MAX)
			break;
		if (!one->collapsed || !cluster_share_is(one, namespace))
			continue;
		any = true;
		one->taking = one->taking || take;
	}
	free(sorted);
	return any;
}

void
cluster_collapse_begin(cluster_objects *objects, const cluster_source *source)
{
	const cluster_shares *shares = &objects->shares;

	for (size_t i = 0; i < shares->count; i++) {
		if (cluster_share_is(shares->items[i], source->namespace))
			shares->items[i]->listed = 0;
	}
	turn(shares, source->namespace, true);
}

bool
cluster_collapse_turn(const cluster_objects *objects, const cluster_source *source)
{
	return turn(&objects->shares, source->namespace, false);
}

void
cluster_collapse_end(cluster_objects *objects, cluster_source *source)
{
	cluster_shares *shares = &objects->shares;

	objects->full = false;
	for (size_t i = 0; i < shares->count; i++) {
		cluster_share *one = shares->items[i];

		if (!one->collapsed || !cluster_share_is(one, source->namespace))
			continue;
		one->estimate = one->listed;
		if (!one->taking && one->listed > 0)
			continue;
		cluster_shares_restore(shares, one);
		source->restored = source->restored || one->listed > 0;
	}
}

/* ---- a reload ---- */

bool
cluster_collapse_copy(cluster_objects *to, const cluster_objects *from)
{
	for (size_t i = 0; i < from->shares.count; i++) {
		const cluster_share *one = from->shares.items[i];
		cluster_share *made = cluster_shares_get(&to->shares, one->namespace);

		if (made == NULL)
			return false;
		if (!one->collapsed)
			continue;
		cluster_shares_collapse(&to->shares, made);
		made->estimate = one->estimate;
	}
	return true;
}
