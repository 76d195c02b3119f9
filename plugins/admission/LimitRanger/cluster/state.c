/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.c - builds the state that decisions read; it owns a reference to each object.
 *
 * LimitRanges are taken as they are stored.  If a part of one cannot be read, the log says
 * so, and requests that it applies to are errors (range.h).
 */
#include <stdlib.h>

#include "../limit_ranger.h"

enum { CLOSED_LOGGED_MAX = 10 }; /* namespaces, at a time */

const char *
cluster_gap_text(cluster_closed why)
{
	return why == CLUSTER_LARGE
	               ? "has more than 256 KiB of LimitRanges"
	               : "is one of the largest, and the LimitRanges of all have more than 20 MiB";
}

/* Says once, for all objects of a namespace, that there is no room for them. */
static void
log_closed(const cluster *self)
{
	const cluster_objects *objects = &self->objects;
	size_t found = 0;

	for (size_t i = 0; i < objects->gap_count; i++) {
		cluster_gap *gap = &objects->gaps[i];

		found += !gap->told;
		if (!gap->told && found <= CLOSED_LOGGED_MAX)
			limen_host_log(self->host, LIMEN_LOG_ERROR, "the namespace \"%s\" %s",
			               gap->namespace, cluster_gap_text(gap->why));
		gap->told = true;
	}
	if (found > CLOSED_LOGGED_MAX)
		limen_host_log(self->host, LIMEN_LOG_ERROR, "%zu more namespaces have too much",
		               found - CLOSED_LOGGED_MAX);
}

/* Says once what cannot be read of an object, or does not count. */
static void
log_problems(const cluster *self, const cluster_object *item, const limen_diag *diag)
{
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_SEVERITY_NOTE); i++) {
		const limen_problem *found = limen_diag_get(diag, i);

		limen_host_log(self->host,
		               found->severity == LIMEN_SEVERITY_PROBLEM ? LIMEN_LOG_ERROR
		                                                         : LIMEN_LOG_WARNING,
		               "LimitRange \"%s\" of the namespace \"%s\": %s", item->name,
		               item->namespace, found->text);
	}
}

/* False when memory is short. */
static bool
read_object(const cluster *self, cluster_object *item)
{
	const limit_ranger *ranger = self->ranger;
	range_reader reader = {
		.set = &item->set,
		.namespace = ranger->namespace,
		.defaulting = ranger->defaulting,
		.report = ranger->report,
		.stored = true,
		.diag = limen_diag_new(),
	};
	bool good = reader.diag != NULL &&
	            limen_documents_parse("object.json", item->text, item->size, 0, &item->owner,
	                                  NULL) == LIMEN_OK;

	if (good) {
		range_read(&reader, limen_documents_get(item->owner, 0));
		good = reader.result == LIMEN_OK;
	}
	if (good) {
		log_problems(self, item, reader.diag);
	} else {
		range_set_clear(&item->set);
		limen_documents_free(item->owner);
		item->owner = NULL;
	}
	limen_diag_free(reader.diag);
	item->read = good;
	return good;
}

static bool
read_objects(const cluster *self, const cluster_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		if (!objects->items[i]->read && !read_object(self, objects->items[i]))
			return false;
	return true;
}

static bool
fill(const cluster *self, cluster_state *state)
{
	const cluster_objects *objects = &state->kept;
	range_reader reader = { .set = &state->set };

	for (size_t i = 0; i < objects->count; i++)
		if (!range_set_borrow(&state->set, &objects->items[i]->set))
			return false;
	/* Names are unique, as the objects are kept by them. */
	range_set_sort(&reader, self->ranger->order);
	return true;
}

cluster_state *
cluster_state_new(const cluster *self, cluster_objects *objects)
{
	cluster_state *state = calloc(1, sizeof *state);

	if (state == NULL)
		return NULL;
	state->kept = *objects;
	*objects = (cluster_objects){ .items = NULL };
	if (read_objects(self, &state->kept) && fill(self, state))
		return state;
	cluster_state_free(state);
	return NULL;
}

bool
cluster_publish(cluster *self)
{
	cluster_objects copy = { .items = NULL };
	cluster_state *state = NULL;

	/* Those that have been read are shared. */
	if (cluster_objects_fit(&self->objects) && read_objects(self, &self->objects) &&
	    cluster_objects_copy(&copy, &self->objects, true))
		state = cluster_state_new(self, &copy);
	cluster_objects_clear(&copy);
	if (state == NULL)
		return false;
	cluster_state_free(swap_replace(&self->states, state));
	log_closed(self);
	return true;
}

void
cluster_state_free(cluster_state *state)
{
	if (state == NULL)
		return;
	range_set_clear(&state->set);
	cluster_objects_clear(&state->kept);
	free(state);
}
