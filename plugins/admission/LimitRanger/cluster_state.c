/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_state.c - makes of all objects what decisions read.
 *
 * An API server checks LimitRanges before it stores them.  One that is wrong
 * nevertheless, because the server is newer or limen mistaken, must not pass for
 * none: nothing is decided for its namespace.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "limit_ranger.h"
#include "range_read.h"

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

/* Says once what is wrong with an object, and what is not done that it asks for. */
static void
log_check(const cluster *self, const cluster_object *one, const limen_diag *diag)
{
	if (one->problem != NULL) {
		limen_host_log(self->host, LIMEN_LOG_ERROR,
		               "LimitRange \"%s\" of the namespace \"%s\" cannot be used: %s",
		               one->name, one->namespace, one->problem);
		return;
	}
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_NOTE); i++) {
		const limen_problem *found = limen_diag_get(diag, i);

		limen_host_log(self->host, LIMEN_LOG_DEBUG, "LimitRange \"%s\" of \"%s\": %s",
		               one->name, one->namespace, found->text);
	}
}

/* Adds an object to the set, or notes what is wrong with it. */
static void
read_checked(cluster_object *one, range_reader *reader)
{
	size_t before = reader->set->count;
	const char *problem = one->unfit;

	if (problem == NULL)
		range_read(reader, one->value);
	if (reader->result == LIMEN_ECONFIG) {
		range_set_truncate(reader->set, before);
		problem = first_problem(reader->diag);
	}
	if (problem == NULL)
		return;
	one->problem = strdup(problem);
	if (one->problem == NULL)
		reader->result = LIMEN_ENOMEM;
}

/* Adds an object to the set, or notes why it cannot be used.  False when memory is short. */
static bool
read_object(const cluster *self, cluster_object *one, range_reader *reader)
{
	reader->diag = limen_diag_new();
	if (reader->diag == NULL)
		return false;
	reader->result = LIMEN_OK;
	read_checked(one, reader);
	if (!one->checked && reader->result != LIMEN_ENOMEM) {
		log_check(self, one, reader->diag);
		one->checked = true;
	}
	limen_diag_free(reader->diag);
	return reader->result != LIMEN_ENOMEM;
}

static bool
add_objects(cluster *self, cluster_state *state, range_reader *reader)
{
	for (size_t i = 0; i < self->objects.count; i++) {
		cluster_object *one = &self->objects.items[i];

		if (one->problem == NULL && !read_object(self, one, reader))
			return false;
		if (one->problem == NULL)
			continue;
		state->broken[state->broken_count++] = (cluster_broken){
			.namespace = one->namespace,
			.name = one->name,
			.problem = one->problem,
		};
	}
	return true;
}

static bool
fill(cluster *self, cluster_state *state)
{
	const limit_ranger *ranger = self->ranger;
	range_reader reader = {
		.set = &state->set,
		.namespace = ranger->namespace,
		.defaulting = (defaulting)ranger->defaulting,
		.report = (report)ranger->report,
		.single = true,
	};

	state->broken = calloc(self->objects.count + 1, sizeof *state->broken);
	if (state->broken == NULL || !add_objects(self, state, &reader))
		return false;
	/* Names are unique, as the objects are kept by them. */
	reader.diag = NULL;
	range_set_sort(&reader, (range_order)ranger->order);
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
	return true;
}

void
cluster_state_free(cluster_state *state)
{
	if (state == NULL)
		return;
	range_set_clear(&state->set);
	free(state->broken);
	free(state);
}
