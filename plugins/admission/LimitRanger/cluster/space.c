/* SPDX-License-Identifier: Apache-2.0 */
/*
 * space.c - the namespaces of a cluster that have LimitRanges, in order, and what is
 * done where these have more text than there is room for.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

bool
cluster_make_room(void *array, size_t count, size_t *room)
{
	void **items;
	size_t more = *room == 0 ? 4 : *room * 2;

	if (count < *room)
		return true;
	memcpy(&items, array, sizeof items);
	items = reallocarray(items, more, sizeof *items);
	if (items == NULL)
		return false;
	memcpy(array, &items, sizeof items);
	*room = more;
	return true;
}

/* Returns where the namespace is, or would be. */
static size_t
find_space(const cluster_objects *objects, const char *name, bool *found)
{
	size_t low = 0;
	size_t high = objects->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(objects->items[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < objects->count && strcmp(objects->items[low]->name, name) == 0;
	return low;
}

cluster_space *
cluster_objects_find(const cluster_objects *objects, const char *namespace)
{
	bool found;
	size_t index = find_space(objects, namespace, &found);

	return found ? objects->items[index] : NULL;
}

cluster_space *
cluster_space_get(cluster_objects *objects, const char *name)
{
	bool found;
	size_t index = find_space(objects, name, &found);
	cluster_space *made;

	if (found)
		return objects->items[index];
	if (!cluster_make_room(&objects->items, objects->count, &objects->room))
		return NULL;
	made = calloc(1, sizeof *made);
	if (made != NULL)
		made->name = strdup(name);
	if (made == NULL || made->name == NULL) {
		free(made);
		return NULL;
	}
	memmove(&objects->items[index + 1], &objects->items[index],
	        (objects->count - index) * sizeof *objects->items);
	objects->items[index] = made;
	objects->count++;
	return made;
}

void
cluster_space_clear(cluster_objects *objects, cluster_space *space)
{
	for (size_t i = 0; i < space->count; i++)
		cluster_object_unref(space->items[i]);
	free(space->items);
	objects->objects -= space->count;
	if (space->closed == CLUSTER_OPEN)
		objects->bytes -= space->bytes;
	space->items = NULL;
	space->count = space->room = 0;
}

void
cluster_space_free(cluster_objects *objects, cluster_space *space)
{
	cluster_space_clear(objects, space);
	objects->closed -= space->closed != CLUSTER_OPEN;
	free(space->name);
	free(space);
}

void
cluster_space_drop_empty(cluster_objects *objects, cluster_space *space)
{
	bool found;
	size_t index;

	if (space->count > 0 || space->closed != CLUSTER_OPEN)
		return;
	index = find_space(objects, space->name, &found);
	cluster_space_free(objects, space);
	objects->count--;
	memmove(&objects->items[index], &objects->items[index + 1],
	        (objects->count - index) * sizeof *objects->items);
}

void
cluster_space_close(cluster_objects *objects, cluster_space *space, cluster_closed why)
{
	cluster_space_clear(objects, space);
	space->closed = why;
	space->changed = false;
	objects->closed++;
}

static int
compare_sizes(const void *left, const void *right)
{
	const cluster_space *one = *(const cluster_space *const *)left;
	const cluster_space *other = *(const cluster_space *const *)right;

	if (one->bytes != other->bytes)
		return one->bytes > other->bytes ? -1 : 1;
	return strcmp(one->name, other->name);
}

bool
cluster_objects_fit(cluster_objects *objects)
{
	cluster_space **sorted;

	if (objects->bytes <= CLUSTER_BYTES_MAX)
		return true;
	sorted = malloc(objects->count * sizeof(*sorted));
	if (sorted == NULL)
		return false;
	memcpy(sorted, objects->items, objects->count * sizeof(*sorted));
	qsort(sorted, objects->count, sizeof(*sorted), compare_sizes);
	for (size_t i = 0; objects->bytes > CLUSTER_BYTES_MAX; i++) {
		if (sorted[i]->closed == CLUSTER_OPEN)
			cluster_space_close(objects, sorted[i], CLUSTER_CROWDED);
	}
	free(sorted);
	return true;
}
