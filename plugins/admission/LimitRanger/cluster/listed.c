/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listed.c - what a list says of those that it does not name.
 *
 * Until it has ended nothing is known to be gone, and decisions go on with what there was.  But
 * what it has not named yet does not count (collapse.c), or what is gone could keep
 * others out for ever.  What a list brought that failed is forgotten when the next one begins,
 * or each could bring more.
 */
#include <string.h>

#include "cluster.h"

static bool
is_of(const cluster_object *one, const cluster_source *source)
{
	return source->namespace == NULL || strcmp(source->namespace, one->kept->namespace) == 0;
}

static void
expect(cluster_objects *objects, cluster_object *one)
{
	if (one->unnamed)
		return;
	one->unnamed = true;
	cluster_shares_find(&objects->shares, one->kept->namespace)->unnamed++;
	objects->unnamed++;
}

void
cluster_objects_name(cluster_objects *objects, cluster_share *share, cluster_object *one)
{
	if (!one->unnamed)
		return;
	one->unnamed = false;
	share->unnamed--;
	objects->unnamed--;
}

/*
 * Those that decisions know stay until a list has ended without them; unless nobody is open who
 * has none (collapse.c).
 */
static void
forget_failed(cluster_objects *objects, const cluster_source *source)
{
	size_t kept = 0;

	for (size_t i = 0; i < objects->count; i++) {
		cluster_object *one = &objects->items[i];

		if (one->brought && (!one->in_force || objects->full) && is_of(one, source) &&
		    cluster_objects_give_up(objects, i) != NULL)
			continue;
		objects->items[kept++] = *one;
	}
	objects->count = kept;
	cluster_shares_tidy(&objects->shares);
}

void
cluster_objects_begin(cluster_objects *objects, cluster_source *source)
{
	forget_failed(objects, source);
	source->listing = true;
	cluster_collapse_begin(objects, source);
	cluster_shares_turn(&objects->shares, CLUSTER_BYTES_MAX, source->namespace, true);
	for (size_t i = 0; i < objects->count; i++) {
		if (is_of(&objects->items[i], source))
			expect(objects, &objects->items[i]);
	}
}

/*
 * Whoever found no room because of text that is gone need not wait, but for once: lists that
 * find something gone each time are not to follow each other.
 */
static void
note_room(cluster_source *source, const cluster_object *gone)
{
	source->restored = source->restored || (gone->kept->size > 0 && !source->soon);
}

void
cluster_objects_mark_as(cluster_objects *objects, cluster_object *one, const cluster_object *from)
{
	one->brought = from->brought;
	if (from->unnamed)
		expect(objects, one);
}

bool
cluster_objects_keep_listed(cluster_objects *objects, cluster_source *source)
{
	size_t kept = 0;
	bool good = true;

	for (size_t i = 0; i < objects->count; i++) {
		cluster_object *one = &objects->items[i];
		bool missing = one->unnamed && is_of(one, source);

		if (missing)
			note_room(source, one);
		/* One that cannot be set aside stays, which only the next list can tell. */
		if (missing && cluster_objects_give_up(objects, i) != NULL)
			continue;
		one->brought = one->brought && !is_of(one, source);
		objects->items[kept++] = *one;
		good = good && !missing;
	}
	objects->count = kept;
	source->listing = !good;
	if (good)
		cluster_collapse_end(objects, source);
	cluster_shares_tidy(&objects->shares);
	return good;
}
