/* SPDX-License-Identifier: Apache-2.0 */
/* gone.c - what was replaced, and the state in force still names. */
#include <stdlib.h>

#include "cluster.h"

bool
cluster_gone_reserve(cluster_objects *objects, size_t more)
{
	size_t needed = objects->gone_count + more;
	size_t room = objects->gone_room == 0 ? 16 : objects->gone_room * 2;
	cluster_object *longer;

	if (needed <= objects->gone_room)
		return true;
	if (room < needed)
		room = needed;
	longer = reallocarray(objects->gone, room, sizeof *longer);
	if (longer == NULL)
		return false;
	objects->gone = longer;
	objects->gone_room = room;
	return true;
}

/*
 * Others are of no use any more: of lists that never end, or fail again and again, there
 * would be more and more.
 */
bool
cluster_gone_add(cluster_objects *objects, const cluster_object *one)
{
	if (!one->in_force) {
		cluster_kept_release(one->kept);
		return true;
	}
	if (!cluster_gone_reserve(objects, 1))
		return false;
	objects->gone[objects->gone_count++] = *one;
	objects->gone_bytes += one->kept->size;
	return true;
}

void
cluster_objects_sweep(cluster_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		objects->items[i].in_force = true;
	for (size_t i = 0; i < objects->gone_count; i++)
		cluster_kept_release(objects->gone[i].kept);
	free(objects->gone);
	objects->gone = NULL;
	objects->gone_count = 0;
	objects->gone_room = 0;
	objects->gone_bytes = 0;
}
