/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.c - stores the LimitRanges that the API server sent, by namespace and name.  Two
 * caps bound them (cluster.h).  A closed namespace opens when a list finds room for it,
 * since only the API server has its text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

/* Bytes over the cap at which namespaces are sorted to close the largest. */
#define SLACK (CLUSTER_BYTES_MAX / 8)

static bool
fail(char why[KUBE_ERROR_MAX], const char *text)
{
	snprintf(why, KUBE_ERROR_MAX, "%s", text);
	return false;
}

/* Returns where the object is, or would be; with the name "" where its namespace begins. */
static size_t
find_object(const cluster_objects *objects, const char *namespace, const char *name, bool *found)
{
	size_t low = 0;
	size_t high = objects->count;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const cluster_object *item = objects->items[middle];
		int order = strcmp(item->namespace, namespace);

		order = order != 0 ? order : strcmp(item->name, name);
		*found = *found || order == 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int
compare_gaps(const void *a, const void *b)
{
	return strcmp(((const cluster_gap *)a)->namespace, ((const cluster_gap *)b)->namespace);
}

static int
compare_name(const void *name, const void *gap)
{
	return strcmp(name, ((const cluster_gap *)gap)->namespace);
}

cluster_gap *
cluster_objects_gap(const cluster_objects *objects, const char *namespace)
{
	if (objects->gap_count == 0)
		return NULL;
	return bsearch(namespace, objects->gaps, objects->gap_count, sizeof *objects->gaps,
	               compare_name);
}

/* ---- taking in and out ---- */

/* Makes room for more objects and gaps.  False when memory is short. */
static bool
reserve(cluster_objects *objects, size_t items, size_t gaps)
{
	size_t room = 2 * objects->room > objects->count + items ? 2 * objects->room
	                                                         : objects->count + items;
	void *more;

	if (objects->count + items > objects->room) {
		more = reallocarray(objects->items, room, sizeof *objects->items);
		if (more == NULL)
			return false;
		objects->items = more;
		objects->room = room;
	}
	if (gaps == 0)
		return true;
	more = reallocarray(objects->gaps, objects->gap_count + gaps, sizeof *objects->gaps);
	if (more != NULL)
		objects->gaps = more;
	return more != NULL;
}

static void
remove_objects(cluster_objects *objects, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		objects->bytes -= objects->items[i]->size;
		cluster_object_unref(objects->items[i]);
	}
	if (first < end)
		memmove(&objects->items[first], &objects->items[end],
		        (objects->count - end) * sizeof *objects->items);
	objects->count -= end - first;
}

/* Takes 'object' over, for which there is room. */
static void
insert(cluster_objects *objects, cluster_object *object)
{
	bool found;
	size_t index = find_object(objects, object->namespace, object->name, &found);

	if (found)
		remove_objects(objects, index, index + 1);
	memmove(&objects->items[index + 1], &objects->items[index],
	        (objects->count - index) * sizeof *objects->items);
	objects->items[index] = object;
	objects->count++;
	objects->bytes += object->size;
}

/* Returns the bytes of a namespace, and where it is. */
static size_t
measure(const cluster_objects *objects, const char *namespace, size_t *first, size_t *end)
{
	bool found;
	size_t bytes = 0;

	*first = *end = find_object(objects, namespace, "", &found);
	while (*end < objects->count && strcmp(objects->items[*end]->namespace, namespace) == 0)
		bytes += objects->items[(*end)++]->size;
	return bytes;
}

/* Drops what is kept of a namespace; its name may be that of an object. */
static bool
close_namespace(cluster_objects *objects, const char *namespace, cluster_closed why)
{
	cluster_gap gap = { .namespace = strdup(namespace), .why = why };
	size_t first;
	size_t end;

	if (gap.namespace == NULL || !reserve(objects, 0, 1)) {
		free(gap.namespace);
		return false;
	}
	gap.bytes = measure(objects, namespace, &first, &end);
	remove_objects(objects, first, end);
	objects->gaps[objects->gap_count++] = gap;
	qsort(objects->gaps, objects->gap_count, sizeof gap, compare_gaps);
	return true;
}

static int
compare_sizes(const void *left, const void *right)
{
	const cluster_gap *item = left;
	const cluster_gap *other = right;

	if (item->bytes != other->bytes)
		return item->bytes > other->bytes ? -1 : 1;
	return compare_gaps(left, right);
}

bool
cluster_objects_fit(cluster_objects *objects)
{
	cluster_gap *sorted;
	size_t count = 0;
	bool good = true;
	size_t first;

	if (objects->bytes <= CLUSTER_BYTES_MAX)
		return true;
	sorted = malloc(objects->count * sizeof(*sorted));
	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < objects->count; count++) {
		sorted[count] = (cluster_gap){ .namespace = objects->items[i]->namespace };
		sorted[count].bytes = measure(objects, sorted[count].namespace, &first, &i);
	}
	qsort(sorted, count, sizeof(*sorted), compare_sizes);
	for (size_t i = 0; good && objects->bytes > CLUSTER_BYTES_MAX; i++)
		good = close_namespace(objects, sorted[i].namespace, CLUSTER_CROWDED);
	free(sorted);
	return good;
}

/* The names and the text of an object that has arrived. */
typedef struct incoming {
	const char *namespace; /* borrowed, like all */
	const char *name;
	const char *text;
	size_t size;
} incoming;

/* Returns a name from the metadata; NULL if Kubernetes cannot have such a name. */
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

/* Stores the names of an object; false if it does not belong to the source. */
static bool
identify(incoming *item, limen_value object, const cluster_source *source, char why[KUBE_ERROR_MAX])
{
	item->namespace = get_text(object, "namespace");
	item->name = get_text(object, "name");
	if (item->namespace == NULL || item->name == NULL)
		return fail(why, "an object has no name and namespace");
	if (source != NULL && source->namespace != NULL &&
	    strcmp(source->namespace, item->namespace) != 0)
		return fail(why, "an object belongs to another namespace");
	return true;
}

/* Shares an object that is known already, which saves memory and reading it again. */
static cluster_object *
make_object(const cluster_objects *known, const incoming *item)
{
	bool found = false;
	size_t index = known == NULL ? 0 : find_object(known, item->namespace, item->name, &found);

	if (found && known->items[index]->size == item->size &&
	    memcmp(known->items[index]->text, item->text, item->size) == 0)
		return cluster_object_ref(known->items[index]);
	return cluster_object_new(item->namespace, item->name, item->text, item->size);
}

static bool
keep(cluster_objects *objects, const cluster_objects *known, const incoming *item)
{
	cluster_object *object = reserve(objects, 1, 0) ? make_object(known, item) : NULL;
	bool good = object != NULL;
	size_t first;
	size_t end;

	if (!good)
		return false;
	insert(objects, object);
	if (measure(objects, item->namespace, &first, &end) > CLUSTER_SPACE_BYTES_MAX)
		good = close_namespace(objects, item->namespace, CLUSTER_LARGE);
	return good && (objects->bytes <= CLUSTER_BYTES_MAX + SLACK || cluster_objects_fit(objects));
}

bool
cluster_objects_put(cluster_objects *objects, const cluster_objects *known, limen_value object,
                    const cluster_source *source, char why[KUBE_ERROR_MAX])
{
	incoming item;
	cluster_gap *gap;
	char *text;
	bool kept;

	if (!identify(&item, object, source, why))
		return false;
	gap = cluster_objects_gap(objects, item.namespace);
	if (gap != NULL) {
		/* Nothing is kept of it until a list finds room. */
		gap->changed = true;
		return true;
	}
	text = cluster_trim(object, &item.size);
	item.text = text;
	kept = text != NULL && keep(objects, known, &item);
	free(text);
	return kept || fail(why, limen_result_text(LIMEN_ENOMEM));
}

bool
cluster_objects_drop(cluster_objects *objects, limen_value object, const cluster_source *source,
                     char why[KUBE_ERROR_MAX])
{
	incoming item;
	cluster_gap *gap;
	bool found;
	size_t index;

	if (!identify(&item, object, source, why))
		return false;
	gap = cluster_objects_gap(objects, item.namespace);
	if (gap != NULL)
		gap->changed = true;
	index = find_object(objects, item.namespace, item.name, &found);
	if (found)
		remove_objects(objects, index, index + 1);
	return true;
}

/* ---- all of them ---- */

/* Replaces the known objects of one namespace by those of its list. */
static bool
replace(cluster_objects *objects, const char *namespace, cluster_objects *pending)
{
	cluster_gap *gap;
	size_t first;
	size_t end;

	if (!reserve(objects, pending->count, pending->gap_count))
		return false;
	measure(objects, namespace, &first, &end);
	remove_objects(objects, first, end);
	gap = cluster_objects_gap(objects, namespace);
	if (gap != NULL) {
		free(gap->namespace);
		*gap = objects->gaps[--objects->gap_count];
	}
	for (size_t i = 0; i < pending->count; i++)
		insert(objects, cluster_object_ref(pending->items[i]));
	for (size_t i = 0; i < pending->gap_count; i++)
		objects->gaps[objects->gap_count++] = pending->gaps[i];
	pending->gap_count = 0;
	if (objects->gap_count > 0)
		qsort(objects->gaps, objects->gap_count, sizeof *gap, compare_gaps);
	return true;
}

bool
cluster_objects_take(cluster_objects *objects, cluster_source *source)
{
	cluster_objects *pending = &source->pending;
	bool good = true;

	for (size_t i = 0; i < pending->gap_count; i++) {
		cluster_gap *gap = &pending->gaps[i];
		const cluster_gap *before = cluster_objects_gap(objects, gap->namespace);

		gap->told = before != NULL && before->told;
		gap->changed = false;
	}
	if (source->namespace == NULL) {
		cluster_objects_clear(objects);
		*objects = *pending;
		*pending = (cluster_objects){ .items = NULL };
	} else {
		good = replace(objects, source->namespace, pending);
		cluster_objects_clear(pending);
	}
	source->listing = !good;
	return good;
}

bool
cluster_objects_again(const cluster_objects *objects, cluster_source *source, int64_t now)
{
	for (size_t i = 0; now >= source->again && i < objects->gap_count; i++) {
		const cluster_gap *gap = &objects->gaps[i];
		bool fits = gap->why == CLUSTER_CROWDED &&
		            objects->bytes + gap->bytes <= CLUSTER_BYTES_MAX;

		if ((source->namespace != NULL && strcmp(source->namespace, gap->namespace) != 0) ||
		    !(gap->changed || fits))
			continue;
		source->again = now + CLUSTER_AGAIN_AFTER;
		return true;
	}
	return false;
}

bool
cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike)
{
	if (!reserve(to, from->count, from->gap_count))
		return false;
	for (size_t i = 0; i < from->count; i++) {
		cluster_object *item = from->items[i];
		/* Each instance reads its own under its own lock. */
		cluster_object *object = alike && item->read
		                               ? cluster_object_ref(item)
		                               : cluster_object_new(item->namespace, item->name,
		                                                    item->text, item->size);

		if (object == NULL)
			return false;
		to->items[to->count++] = object;
		to->bytes += object->size;
	}
	for (size_t i = 0; i < from->gap_count; i++) {
		cluster_gap gap = from->gaps[i];

		gap.namespace = strdup(gap.namespace);
		if (gap.namespace == NULL)
			return false;
		to->gaps[to->gap_count++] = gap;
	}
	return true;
}

void
cluster_objects_clear(cluster_objects *objects)
{
	remove_objects(objects, 0, objects->count);
	for (size_t i = 0; i < objects->gap_count; i++)
		free(objects->gaps[i].namespace);
	free(objects->items);
	free(objects->gaps);
	*objects = (cluster_objects){ .items = NULL };
}
