/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd.c - what becomes of LimitRanges that have no room together.
 *
 * Where a namespace is not served there is no more than the names of its LimitRanges; their
 * text is somewhere else only, and comes again with a list.
 */
#include <stdlib.h>

#include "cluster.h"

const char cluster_crowded[] = "the LimitRanges of the cluster are too large together";

static void
release(cluster_kept **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cluster_kept_release(names[i]);
	free(names);
}

/* Returns for each of them that has a text one without, or NULL when memory is short. */
static cluster_kept **
make_names(const cluster_object *items, size_t count)
{
	cluster_kept **names = calloc(count + 1, sizeof *names);

	if (names == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const cluster_kept *kept = items[i].kept;

		if (kept->unfit != NULL)
			continue;
		names[i] = cluster_kept_new(kept->namespace, kept->name, cluster_crowded, NULL,
		                            kept->wanted);
		if (names[i] != NULL)
			continue;
		release(names, i);
		return NULL;
	}
	return names;
}

/* Nothing is kept of 'share' any more but names; or all is as it was, as memory is short. */
static bool
lose(cluster_objects *objects, cluster_share *share)
{
	bool found;
	cluster_object *items = objects->items +
	                        cluster_objects_find(objects, share->namespace, "", &found);
	cluster_kept **names = make_names(items, share->count);

	if (names == NULL)
		return false;
	if (!cluster_gone_reserve(objects, share->count)) {
		release(names, share->count);
		return false;
	}
	for (size_t i = 0; i < share->count; i++) {
		if (names[i] == NULL)
			continue;
		objects->bytes -= items[i].kept->size;
		cluster_gone_add(objects, &items[i]);
		items[i] = (cluster_object){ .kept = names[i], .unnamed = items[i].unnamed,
		                             .brought = items[i].brought };
	}
	free(names);
	cluster_served_remove(&objects->shares, share);
	return true;
}

bool
cluster_objects_fit(cluster_objects *objects, const cluster_share *share,
                    const cluster_object *before, size_t wanted)
{
	cluster_shares *shares = &objects->shares;

	while (share->place > 0) {
		size_t others = objects->bytes - (before == NULL ? 0 : before->kept->size);

		if (wanted <= CLUSTER_BYTES_MAX - others)
			return true;
		if (!lose(objects, shares->served[0]))
			return false;
	}
	return true;
}

bool
cluster_objects_again(cluster_objects *objects, cluster_source *source, int64_t now)
{
	bool late = now >= source->again;
	bool names = late && cluster_collapse_turn(objects, source);

	if (!names && ((!late && !source->restored) ||
	               !cluster_shares_turn(&objects->shares, CLUSTER_BYTES_MAX,
	                                    source->namespace, false)))
		return false;
	source->restored = false;
	source->soon = !late;
	source->again = now + CLUSTER_AGAIN_AFTER;
	return true;
}
