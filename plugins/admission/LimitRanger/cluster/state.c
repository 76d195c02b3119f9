/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.c - makes of all objects what decisions read.
 *
 * An API server checks LimitRanges before it stores them.  One that is wrong
 * nevertheless, because the server is newer or limen mistaken, must not pass for
 * none: nothing is decided for its namespace.
 *
 * What has been read stays, so that a change costs no more than what changes; a state
 * has no more of its own than the order.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "../limit_ranger.h"
#include "../range/read.h"

enum { CROWDED_LOGGED_MAX = 10 }; /* namespaces, at a time */

static const char too_many[] = "has too many LimitRanges for those of the cluster to be kept";

static const char *
first_problem(const limen_diag *diag)
{
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_NOTE); i++) {
		const limen_problem *one = limen_diag_get(diag, i);

		if (one->severity == LIMEN_PROBLEM)
			return one->text;
	}
	return "it cannot be read";
}

/* Says once what is wrong with an object. */
static void
log_problem(const cluster *self, cluster_object *one)
{
	const cluster_kept *kept = one->kept;

	if (!one->checked && kept->unfit != cluster_crowded && cluster_kept_problem(kept) != NULL)
		limen_host_log(self->host, LIMEN_LOG_ERROR,
		               "LimitRange \"%s\" of the namespace \"%s\" cannot be used: %s",
		               kept->name, kept->namespace, cluster_kept_problem(kept));
	one->checked = true;
}

static void
log_share(const cluster *self, const cluster_share *one)
{
	if (one->collapsed)
		limen_host_log(self->host, LIMEN_LOG_ERROR, "the namespace \"%s\" %s",
		               one->namespace, too_many);
	else
		limen_host_log(self->host, LIMEN_LOG_ERROR,
		               "the LimitRanges of the namespace \"%s\" (%zu, of %zu bytes) "
		               "cannot be used: %s", one->namespace, one->count,
		               one->wanted, cluster_crowded);
}

/* Says once, for all objects of a namespace, that there is no room for them. */
static void
log_crowded(const cluster *self)
{
	const cluster_shares *shares = &self->objects.shares;
	size_t found = 0;

	for (size_t i = 0; i < shares->count; i++) {
		cluster_share *one = shares->items[i];
		bool news = one->place == 0 && !one->told;

		one->told = one->place == 0;
		found += news;
		if (news && found <= CROWDED_LOGGED_MAX)
			log_share(self, one);
	}
	if (found > CROWDED_LOGGED_MAX)
		limen_host_log(self->host, LIMEN_LOG_ERROR,
		               "nor can those of %zu more namespaces",
		               found - CROWDED_LOGGED_MAX);
}

/* Says what is not done that an object asks for. */
static void
log_notes(const cluster *self, const cluster_kept *kept, const limen_diag *diag)
{
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_NOTE); i++) {
		const limen_problem *found = limen_diag_get(diag, i);

		limen_host_log(self->host, LIMEN_LOG_DEBUG, "LimitRange \"%s\" of \"%s\": %s",
		               kept->name, kept->namespace, found->text);
	}
}

/* Reads a LimitRange, or finds out what is wrong with it.  False when memory is short. */
static bool
read_checked(const cluster *self, cluster_kept *kept, range_reader *reader)
{
	range_read(reader, kept->value);
	if (reader->result == LIMEN_ECONFIG)
		kept->problem = strdup(first_problem(reader->diag));
	else if (reader->result == LIMEN_OK)
		log_notes(self, kept, reader->diag);
	kept->read = reader->result == LIMEN_ECONFIG ? kept->problem != NULL
	                                             : reader->result == LIMEN_OK;
	if (!kept->read || kept->problem != NULL)
		range_set_clear(&kept->set);
	return kept->read;
}

static bool
read_kept(const cluster *self, cluster_kept *kept)
{
	const limit_ranger *ranger = self->ranger;
	range_reader reader = {
		.set = &kept->set,
		.namespace = ranger->namespace,
		.defaulting = (defaulting)ranger->defaulting,
		.report = (report)ranger->report,
		.single = true,
		.diag = limen_diag_new(),
	};
	bool good = reader.diag != NULL && range_set_reserve(&kept->set, 1) &&
	            read_checked(self, kept, &reader);

	limen_diag_free(reader.diag);
	return good;
}

/* Reads what is new, and counts what cannot be used. */
static bool
read_objects(cluster *self, size_t *broken)
{
	*broken = 0;
	for (size_t i = 0; i < self->objects.count; i++) {
		cluster_object *one = &self->objects.items[i];

		if (!one->kept->read && !read_kept(self, one->kept))
			return false;
		log_problem(self, one);
		*broken += cluster_kept_problem(one->kept) != NULL;
	}
	return true;
}

static bool
add_object(cluster_state *state, const cluster_kept *kept)
{
	const char *problem = cluster_kept_problem(kept);

	if (problem == NULL)
		return range_set_borrow(&state->set, &kept->set);
	state->broken[state->broken_count++] = (cluster_broken){
		.namespace = kept->namespace,
		.name = kept->name,
		.problem = problem,
	};
	return true;
}

/* The namespaces of which nothing is kept come between the objects. */
typedef struct merge {
	cluster_state *state;
	const cluster_shares *shares;
	size_t next;
	char *text; /* where the next name goes: shares may be gone before the state is */
} merge;

/* Adds them up to 'last' (NULL: all that are left). */
static void
add_collapsed(merge *one, const char *last)
{
	cluster_state *state = one->state;

	for (; one->next < one->shares->count; one->next++) {
		const cluster_share *share = one->shares->items[one->next];
		size_t size = strlen(share->namespace) + 1;

		if (last != NULL && strcmp(share->namespace, last) > 0)
			return;
		if (!share->collapsed)
			continue;
		state->broken[state->broken_count++] = (cluster_broken){
			.namespace = memcpy(one->text, share->namespace, size),
			.problem = too_many,
		};
		one->text += size;
	}
}

static bool
reserve(cluster_state *state, const cluster_objects *objects, size_t broken)
{
	const cluster_shares *shares = &objects->shares;
	size_t size = 1;

	for (size_t i = 0; i < shares->count; i++)
		size += shares->items[i]->collapsed ? strlen(shares->items[i]->namespace) + 1 : 0;
	state->broken = calloc(broken + shares->collapsed_count + 1, sizeof *state->broken);
	state->collapsed = malloc(size);
	return state->broken != NULL && state->collapsed != NULL &&
	       range_set_reserve(&state->set, objects->count - broken);
}

static bool
fill(cluster *self, cluster_state *state)
{
	range_reader reader = { .set = &state->set };
	merge names = { .state = state, .shares = &self->objects.shares };
	size_t broken;

	if (!read_objects(self, &broken) || !reserve(state, &self->objects, broken))
		return false;
	names.text = state->collapsed;
	for (size_t i = 0; i < self->objects.count; i++) {
		add_collapsed(&names, self->objects.items[i].kept->namespace);
		if (!add_object(state, self->objects.items[i].kept))
			return false;
	}
	add_collapsed(&names, NULL);
	state->full = self->objects.full;
	/* Names are unique, as the objects are kept by them. */
	range_set_sort(&reader, (range_order)self->ranger->order);
	return true;
}

bool
cluster_publish(cluster *self)
{
	cluster_state *made = calloc(1, sizeof *made);

	if (made == NULL || !fill(self, made)) {
		cluster_state_free(made);
		return false;
	}
	cluster_state_free(swap_replace(&self->states, made));
	cluster_objects_sweep(&self->objects);
	log_crowded(self);
	return true;
}

void
cluster_state_free(cluster_state *state)
{
	if (state == NULL)
		return;
	range_set_clear(&state->set);
	free(state->broken);
	free(state->collapsed);
	free(state);
}
