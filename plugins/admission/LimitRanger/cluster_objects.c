/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_objects.c - what is kept of the LimitRanges that the API server sent, in
 * order.  A list brings them in that order too, so that adding one is cheap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

static bool
fail(char why[KUBE_ERROR_MAX], const char *text)
{
	snprintf(why, KUBE_ERROR_MAX, "%s", text);
	return false;
}

static int
compare(const cluster_object *one, const char *namespace, const char *name)
{
	int order = strcmp(one->kept->namespace, namespace);

	return order != 0 ? order : strcmp(one->kept->name, name);
}

/* Returns where the object is, or would be. */
static size_t
find(const cluster_objects *objects, const char *namespace, const char *name, bool *found)
{
	size_t low = 0;
	size_t high = objects->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&objects->items[middle], namespace, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < objects->count && compare(&objects->items[low], namespace, name) == 0;
	return low;
}

static bool
make_room(cluster_object **items, size_t count, size_t *room)
{
	size_t size = *room == 0 ? 16 : *room * 2;
	cluster_object *longer;

	if (count < *room)
		return true;
	longer = reallocarray(*items, size, sizeof *longer);
	if (longer == NULL)
		return false;
	*items = longer;
	*room = size;
	return true;
}

/*
 * Puts one aside that the state in force names.  Others are of no use any more: of lists
 * that never end, or fail again and again, there would be more and more.
 */
static bool
set_aside(cluster_objects *objects, cluster_object *one)
{
	if (!one->in_force) {
		cluster_kept_release(one->kept);
		return true;
	}
	if (!make_room(&objects->gone, objects->gone_count, &objects->gone_room))
		return false;
	objects->gone[objects->gone_count++] = *one;
	objects->gone_bytes += one->kept->size;
	return true;
}

/* What an object is called, and what is said of it. */
typedef struct incoming {
	const char *namespace; /* borrowed, like all */
	const char *name;
	const char *text;
	size_t length;
	unsigned long list;
} incoming;

/* What is no name in Kubernetes is none here: whatever else there is no room for, names are kept. */
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

static bool
insert(cluster_objects *objects, size_t index, const cluster_object *one,
       char why[KUBE_ERROR_MAX])
{
	if (objects->count == CLUSTER_OBJECTS_MAX)
		return fail(why, "there are too many LimitRanges");
	if (!make_room(&objects->items, objects->count, &objects->room))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	memmove(&objects->items[index + 1], &objects->items[index],
	        (objects->count - index) * sizeof *one);
	objects->items[index] = *one;
	objects->count++;
	objects->bytes += one->kept->size;
	return true;
}

static bool
replace(cluster_objects *objects, size_t index, const cluster_object *one,
        char why[KUBE_ERROR_MAX])
{
	size_t before = objects->items[index].kept->size;

	if (!set_aside(objects, &objects->items[index]))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	objects->items[index] = *one;
	objects->bytes += one->kept->size - before;
	return true;
}

/*
 * Of what is too large no more than its name is kept, so that it is wrong for its own
 * namespace: who may write LimitRanges there has no say in others.
 */
static const char *
find_unfit(const incoming *one, size_t room)
{
	if (one->length > CLUSTER_OBJECT_BYTES_MAX)
		return "it is too large";
	return one->length > room ? "the LimitRanges of the cluster are too large together" : NULL;
}

/* Puts what is as it was already, or new. */
static bool
put(cluster_objects *objects, const incoming *one, char why[KUBE_ERROR_MAX])
{
	bool found;
	size_t index = find(objects, one->namespace, one->name, &found);
	size_t before = found ? objects->items[index].kept->size : 0;
	const char *unfit = find_unfit(one, CLUSTER_BYTES_MAX - (objects->bytes - before));
	cluster_object made = { .list = one->list };

	if (found && cluster_kept_is(objects->items[index].kept, unfit, one->text, one->length)) {
		objects->items[index].list = one->list;
		return true;
	}
	made.kept = cluster_kept_new(one->namespace, one->name, unfit, one->text, one->length);
	if (made.kept == NULL)
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	if (found ? replace(objects, index, &made, why) : insert(objects, index, &made, why))
		return true;
	cluster_kept_release(made.kept);
	return false;
}

bool
cluster_objects_put(cluster_objects *objects, limen_value object, const cluster_source *source,
                    char why[KUBE_ERROR_MAX])
{
	incoming one = { .list = source == NULL ? 0 : source->list };
	char *text;
	bool taken;

	if (!identify(&one, object, source, why))
		return false;
	text = cluster_trim(object, &one.length);
	if (text == NULL)
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	one.text = text;
	taken = put(objects, &one, why);
	free(text);
	return taken;
}

/* Takes the object at 'index' out. */
static bool
take_out(cluster_objects *objects, size_t index)
{
	size_t size = objects->items[index].kept->size;

	if (!set_aside(objects, &objects->items[index]))
		return false;
	objects->bytes -= size;
	objects->count--;
	memmove(&objects->items[index], &objects->items[index + 1],
	        (objects->count - index) * sizeof *objects->items);
	return true;
}

bool
cluster_objects_drop(cluster_objects *objects, limen_value object, const cluster_source *source,
                     char why[KUBE_ERROR_MAX])
{
	incoming one;
	bool found;
	size_t index;

	if (!identify(&one, object, source, why))
		return false;
	index = find(objects, one.namespace, one.name, &found);
	if (found && !take_out(objects, index))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	return true;
}

static bool
is_missing(const cluster_object *one, const cluster_source *source)
{
	return one->list != source->list &&
	       (source->namespace == NULL || strcmp(source->namespace, one->kept->namespace) == 0);
}

bool
cluster_objects_keep_listed(cluster_objects *objects, const cluster_source *source)
{
	size_t kept = 0;
	bool good = true;

	for (size_t i = 0; i < objects->count; i++) {
		cluster_object one = objects->items[i];
		size_t size = one.kept->size;
		bool missing = is_missing(&one, source);

		/* One that cannot be set aside stays, which only the next list can tell. */
		if (missing && set_aside(objects, &one)) {
			objects->bytes -= size;
			continue;
		}
		objects->items[kept++] = one;
		good = good && !missing;
	}
	objects->count = kept;
	return good;
}

/* Adds at the end, where an object of another set comes that is in the same order. */
static bool
append(cluster_objects *objects, cluster_kept *kept, char why[KUBE_ERROR_MAX])
{
	cluster_object one = { .kept = cluster_kept_share(kept) };

	if (insert(objects, objects->count, &one, why))
		return true;
	cluster_kept_release(kept);
	return false;
}

bool
cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike)
{
	char why[KUBE_ERROR_MAX];
	bool good = true;

	for (size_t i = 0; good && i < from->count; i++) {
		cluster_kept *kept = from->items[i].kept;

		/* A name alone would pass for a LimitRange without limits. */
		if (kept->unfit != NULL || (alike && kept->read))
			good = append(to, kept, why);
		else
			good = cluster_objects_put(to, kept->value, NULL, why);
	}
	return good;
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

void
cluster_objects_clear(cluster_objects *objects)
{
	cluster_objects_sweep(objects);
	for (size_t i = 0; i < objects->count; i++)
		cluster_kept_release(objects->items[i].kept);
	free(objects->items);
	*objects = (cluster_objects){ .items = NULL };
}
