/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.c - what is kept of the LimitRanges that the API server sent, in
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

size_t
cluster_objects_find(const cluster_objects *objects, const char *namespace, const char *name,
                     bool *found)
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
make_room(cluster_objects *objects)
{
	size_t room = objects->room == 0 ? 16 : objects->room * 2;
	cluster_object *longer;

	if (objects->count < objects->room)
		return true;
	longer = reallocarray(objects->items, room, sizeof *longer);
	if (longer == NULL)
		return false;
	objects->items = longer;
	objects->room = room;
	return true;
}

/* What an object is called, and what is said of it. */
typedef struct incoming {
	const char *namespace; /* borrowed, like all */
	const char *name;
	const char *text;
	size_t wanted; /* bytes of text; 0: it is too large to be kept, whatever room there is */
	bool listed;   /* by a list that has not ended */
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
	if (!make_room(objects))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	memmove(&objects->items[index + 1], &objects->items[index],
	        (objects->count - index) * sizeof *one);
	objects->items[index] = *one;
	objects->count++;
	objects->bytes += one->kept->size;
	return true;
}

static bool
replace(cluster_objects *objects, cluster_object *before, cluster_kept *kept,
        char why[KUBE_ERROR_MAX])
{
	size_t size = before->kept->size;

	if (!cluster_gone_add(objects, before))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	*before = (cluster_object){ .kept = kept, .brought = before->brought };
	objects->bytes += kept->size - size;
	return true;
}

/*
 * Of what is too large no more than its name is kept, so that it is wrong for its own
 * namespace: who may write LimitRanges there has no say in others.
 */
static const char *
find_unfit(const incoming *one, const cluster_share *share)
{
	if (one->wanted == 0)
		return "it is too large";
	return share->place == 0 ? cluster_crowded : NULL;
}

/* Puts what is as it was already, or new; 'before': what there is of it (may be NULL). */
static bool
put_fitting(cluster_objects *objects, const incoming *one, cluster_share *share,
            size_t index, cluster_object *before, char why[KUBE_ERROR_MAX])
{
	const char *unfit = find_unfit(one, share);
	cluster_object made = { .brought = one->listed };

	if (before != NULL)
		cluster_objects_name(objects, share, before);
	if (before != NULL && cluster_kept_is(before->kept, unfit, one->text, one->wanted))
		return true;
	made.kept = cluster_kept_new(one->namespace, one->name, unfit, one->text, one->wanted);
	if (made.kept == NULL)
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	if (before != NULL ? replace(objects, before, made.kept, why)
	                   : insert(objects, index, &made, why))
		return true;
	cluster_kept_release(made.kept);
	return false;
}

/* Keeps it, for which there is room but perhaps not for its text. */
static bool
keep(cluster_objects *objects, const incoming *one, cluster_share *share,
     char why[KUBE_ERROR_MAX])
{
	bool found;
	size_t index = cluster_objects_find(objects, one->namespace, one->name, &found);
	cluster_object *before = found ? &objects->items[index] : NULL;
	size_t wanted = found ? before->kept->wanted : 0;
	bool taken;

	cluster_shares_change(&objects->shares, share, wanted, one->wanted);
	taken = cluster_objects_fit(objects, share, before, one->wanted)
	                ? put_fitting(objects, one, share, index, before, why)
	                : fail(why, limen_result_text(LIMEN_ENOMEM));
	if (!taken)
		cluster_shares_change(&objects->shares, share, one->wanted, wanted);
	share->count += taken && !found;
	return taken;
}

/* Nobody loses anything for one that is not kept. */
static bool
make_place(cluster_objects *objects, const incoming *one, const cluster_share *share,
           char why[KUBE_ERROR_MAX])
{
	bool found;
	size_t index;

	if (cluster_collapse_holds(share))
		return true;
	index = cluster_objects_find(objects, one->namespace, one->name, &found);
	return (found && !objects->items[index].unnamed) ||
	       cluster_collapse(objects, share, found, why);
}

static bool
put(cluster_objects *objects, const incoming *one, char why[KUBE_ERROR_MAX])
{
	cluster_share *share = cluster_shares_get(&objects->shares, one->namespace);
	bool taken;

	if (share == NULL)
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	share->listed++;
	taken = make_place(objects, one, share, why) &&
	        (cluster_collapse_holds(share) || keep(objects, one, share, why));
	cluster_shares_drop_empty(&objects->shares, share);
	return taken;
}

bool
cluster_objects_put(cluster_objects *objects, limen_value object, const cluster_source *source,
                    char why[KUBE_ERROR_MAX])
{
	incoming one = { .listed = source != NULL && source->listing };
	size_t length;
	char *text;
	bool taken;

	if (!identify(&one, object, source, why))
		return false;
	text = cluster_trim(object, &length);
	if (text == NULL)
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	one.text = text;
	one.wanted = length > CLUSTER_OBJECT_BYTES_MAX ? 0 : length;
	taken = put(objects, &one, why);
	free(text);
	return taken;
}

cluster_share *
cluster_objects_give_up(cluster_objects *objects, size_t index)
{
	cluster_object *one = &objects->items[index];
	cluster_share *share = cluster_shares_find(&objects->shares, one->kept->namespace);
	size_t size = one->kept->size;
	size_t wanted = one->kept->wanted;

	cluster_objects_name(objects, share, one);
	if (!cluster_gone_add(objects, one))
		return NULL;
	objects->bytes -= size;
	cluster_shares_change(&objects->shares, share, wanted, 0);
	share->count--;
	return share;
}

/* Takes the object at 'index' out. */
static bool
take_out(cluster_objects *objects, size_t index)
{
	cluster_share *share = cluster_objects_give_up(objects, index);

	if (share == NULL)
		return false;
	objects->count--;
	memmove(&objects->items[index], &objects->items[index + 1],
	        (objects->count - index) * sizeof *objects->items);
	cluster_shares_drop_empty(&objects->shares, share);
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
	index = cluster_objects_find(objects, one.namespace, one.name, &found);
	if (found && !take_out(objects, index))
		return fail(why, limen_result_text(LIMEN_ENOMEM));
	if (!found)
		cluster_collapse_drop(objects, one.namespace);
	return true;
}

/*
 * Adds at the end, where an object of another set comes that is in the same order.  It takes
 * 'kept' (NULL: memory is short) over.  There was room in the other set, be it for the time of
 * a list, so there is here.
 */
static bool
append(cluster_objects *objects, cluster_kept *kept)
{
	cluster_object one = { .kept = kept };
	char why[KUBE_ERROR_MAX];
	cluster_share *share = kept == NULL
	                               ? NULL
	                               : cluster_shares_get(&objects->shares, kept->namespace);

	if (share != NULL && insert(objects, objects->count, &one, why)) {
		cluster_shares_change(&objects->shares, share, 0, kept->wanted);
		share->count++;
		return true;
	}
	cluster_kept_release(kept);
	return false;
}

/* Both have the same namespaces. */
static void
copy_served(cluster_shares *to, const cluster_shares *from)
{
	for (size_t i = 0; i < from->count; i++) {
		if (from->items[i]->place == 0 && to->items[i]->place > 0)
			cluster_served_remove(to, to->items[i]);
		to->items[i]->told = from->items[i]->told;
	}
}

bool
cluster_objects_copy(cluster_objects *to, const cluster_objects *from, bool alike)
{
	bool good = cluster_collapse_copy(to, from);

	for (size_t i = 0; good && i < from->count; i++) {
		cluster_kept *kept = from->items[i].kept;

		/* A name alone would pass for a LimitRange without limits. */
		if (kept->unfit != NULL || (alike && kept->read))
			kept = cluster_kept_share(kept);
		else
			kept = cluster_kept_renew(kept);
		good = append(to, kept);
		if (good)
			cluster_objects_mark_as(to, &to->items[i], &from->items[i]);
	}
	if (good)
		copy_served(&to->shares, &from->shares);
	to->full = from->full;
	return good;
}

void
cluster_objects_clear(cluster_objects *objects)
{
	cluster_objects_sweep(objects);
	for (size_t i = 0; i < objects->count; i++)
		cluster_kept_release(objects->items[i].kept);
	free(objects->items);
	cluster_shares_clear(&objects->shares);
	*objects = (cluster_objects){ .items = NULL };
}
