/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.c - what is kept of the LimitRanges that the API server sent, by namespace and
 * name.  Two caps bound it (cluster.h).  A namespace that is closed is opened by a list
 * that finds room for it, as its text is known to the API server only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

/* Before all are sorted to close the largest, so much more is taken. */
#define SLACK (CLUSTER_BYTES_MAX / 8)

static bool
fail(char why[KUBE_ERROR_MAX], const char *text)
{
	snprintf(why, KUBE_ERROR_MAX, "%s", text);
	return false;
}

/* Returns where the object is, or would be. */
static size_t
find_object(const cluster_space *space, const char *name, bool *found)
{
	size_t low = 0;
	size_t high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(space->items[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < space->count && strcmp(space->items[low]->name, name) == 0;
	return low;
}

/* What an object is called, and what is said of it. */
typedef struct incoming {
	const char *namespace; /* borrowed, like all */
	const char *name;
	const char *text;
	size_t size;
} incoming;

/* What is no name in Kubernetes is none here. */
static const char *
get_text(limen_value object, const char *key)
{
	limen_value metadata = limen_value_get(object, "metadata");
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(metadata, key), &length);

	if (text == NULL || length == 0 || length > CLUSTER_NAME_MAX || strlen(text) != length)
		return NULL;
	return text;
}

/* Stores what an object is called; false if it is no object of the source. */
static bool
identify(incoming *one, limen_value object, const cluster_source *source,
         char why[KUBE_ERROR_MAX])
{
	one->namespace = get_text(object, "namespace");
	one->name = get_text(object, "name");
	if (one->namespace == NULL || one->name == NULL)
		return fail(why, "an object has no name and namespace");
	if (source != NULL && source->namespace != NULL &&
	    strcmp(source->namespace, one->namespace) != 0)
		return fail(why, "an object is of another namespace");
	return true;
}

/* Shares what is known already: nothing is there twice, nor read twice. */
static cluster_object *
make_object(const cluster_objects *known, const incoming *one)
{
	const cluster_space *space = known == NULL ? NULL
	                                           : cluster_objects_find(known, one->namespace);
	bool found = false;
	size_t index = space == NULL ? 0 : find_object(space, one->name, &found);

	if (found && space->items[index]->size == one->size &&
	    memcmp(space->items[index]->text, one->text, one->size) == 0)
		return cluster_object_ref(space->items[index]);
	return cluster_object_new(one->namespace, one->name, one->text, one->size);
}

/* Takes 'made' over.  False when memory is short. */
static bool
insert(cluster_objects *objects, cluster_space *space, cluster_object *made)
{
	bool found;
	size_t index = find_object(space, made->name, &found);
	size_t before = found ? space->items[index]->size : 0;

	if (!found && !cluster_make_room(&space->items, space->count, &space->room)) {
		cluster_object_unref(made);
		return false;
	}
	if (found) {
		cluster_object_unref(space->items[index]);
	} else {
		memmove(&space->items[index + 1], &space->items[index],
		        (space->count - index) * sizeof *space->items);
		space->count++;
		objects->objects++;
	}
	space->items[index] = made;
	space->bytes += made->size - before;
	objects->bytes += made->size - before;
	return true;
}

static bool
keep(cluster_objects *objects, const cluster_objects *known, cluster_space *space,
     const incoming *one)
{
	cluster_object *made;

	/* Nothing is kept of it until a list finds room. */
	if (space->closed != CLUSTER_OPEN) {
		space->changed = true;
		return true;
	}
	made = make_object(known, one);
	if (made == NULL || !insert(objects, space, made))
		return false;
	if (space->bytes > CLUSTER_SPACE_BYTES_MAX)
		cluster_space_close(objects, space, CLUSTER_LARGE);
	return objects->bytes <= CLUSTER_BYTES_MAX + SLACK || cluster_objects_fit(objects);
}

bool
cluster_objects_put(cluster_objects *objects, const cluster_objects *known, limen_value object,
                    const cluster_source *source, char why[KUBE_ERROR_MAX])
{
	incoming one;
	cluster_space *space;
	char *text;
	bool taken;

	if (!identify(&one, object, source, why))
		return false;
	text = cluster_trim(object, &one.size);
	one.text = text;
	space = text == NULL ? NULL : cluster_space_get(objects, one.namespace);
	taken = space != NULL && keep(objects, known, space, &one);
	if (space != NULL)
		cluster_space_drop_empty(objects, space);
	free(text);
	return taken || fail(why, limen_result_text(LIMEN_ENOMEM));
}

bool
cluster_objects_drop(cluster_objects *objects, limen_value object, const cluster_source *source,
                     char why[KUBE_ERROR_MAX])
{
	incoming one;
	cluster_space *space;
	bool found;
	size_t index;

	if (!identify(&one, object, source, why))
		return false;
	space = cluster_objects_find(objects, one.namespace);
	if (space == NULL)
		return true;
	space->changed = space->closed != CLUSTER_OPEN;
	index = find_object(space, one.name, &found);
	if (!found)
		return true;
	space->bytes -= space->items[index]->size;
	objects->bytes -= space->items[index]->size;
	cluster_object_unref(space->items[index]);
	space->count--;
	objects->objects--;
	memmove(&space->items[index], &space->items[index + 1],
	        (space->count - index) * sizeof *space->items);
	cluster_space_drop_empty(objects, space);
	return true;
}

/* ---- all of them ---- */

static bool
is_of(const cluster_space *space, const cluster_source *source)
{
	return source->namespace == NULL || strcmp(source->namespace, space->name) == 0;
}

/* Puts what the list of one namespace named in the place of what was known of it. */
static bool
replace_space(cluster_objects *objects, const char *namespace, cluster_objects *pending)
{
	cluster_space *place = cluster_space_get(objects, namespace);
	cluster_space before;

	if (place == NULL)
		return false;
	cluster_space_clear(objects, place);
	objects->closed -= place->closed != CLUSTER_OPEN;
	before = *place;
	*place = (cluster_space){ .name = before.name };
	if (pending->count > 0) {
		*place = *pending->items[0];
		*pending->items[0] = (cluster_space){ .name = before.name };
		objects->objects += place->count;
		objects->bytes += place->closed == CLUSTER_OPEN ? place->bytes : 0;
		objects->closed += place->closed != CLUSTER_OPEN;
	}
	cluster_space_drop_empty(objects, place);
	return true;
}

bool
cluster_objects_take(cluster_objects *objects, cluster_source *source)
{
	cluster_objects *pending = &source->pending;
	bool good = true;

	for (size_t i = 0; i < pending->count; i++) {
		const cluster_space *before = cluster_objects_find(objects, pending->items[i]->name);

		pending->items[i]->told = before != NULL && before->told;
		pending->items[i]->changed = false;
	}
	if (source->namespace == NULL) {
		cluster_objects_clear(objects);
		*objects = *pending;
		*pending = (cluster_objects){ .items = NULL };
	} else {
		good = replace_space(objects, source->namespace, pending);
		cluster_objects_clear(pending);
	}
	source->listing = !good;
	return good;
}

bool
cluster_objects_again(cluster_objects *objects, cluster_source *source, int64_t now)
{
	if (objects->closed == 0 || now < source->again)
		return false;
	for (size_t i = 0; i < objects->count; i++) {
		const cluster_space *space = objects->items[i];
		bool fits = space->closed == CLUSTER_CROWDED &&
		            objects->bytes + space->bytes <= CLUSTER_BYTES_MAX;

		if (space->closed == CLUSTER_OPEN || !is_of(space, source) ||
		    !(space->changed || fits))
			continue;
		source->again = now + CLUSTER_AGAIN_AFTER;
		return true;
	}
	return false;
}

static bool
copy_space(cluster_objects *to, const cluster_space *from, bool alike)
{
	cluster_space *space = cluster_space_get(to, from->name);

	for (size_t i = 0; space != NULL && i < from->count; i++) {
		cluster_object *one = from->items[i];
		/* Each instance reads its own under its own lock. */
		cluster_object *made = alike && one->read
		                               ? cluster_object_ref(one)
		                               : cluster_object_new(one->namespace, one->name,
		                                                    one->text, one->size);

		if (made == NULL || !insert(to, space, made))
			return false;
	}
	if (space == NULL)
		return false;
	if (from->closed != CLUSTER_OPEN)
		cluster_space_close(to, space, from->closed);
	space->bytes = from->bytes;
	space->changed = from->changed;
	space->told = from->told;
	return true;
}

bool
cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike)
{
	for (size_t i = 0; i < from->count; i++) {
		if (!copy_space(to, from->items[i], alike))
			return false;
	}
	return true;
}

void
cluster_objects_clear(cluster_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		cluster_space_free(objects, objects->items[i]);
	free(objects->items);
	*objects = (cluster_objects){ .items = NULL };
}
