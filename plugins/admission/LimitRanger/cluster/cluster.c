/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c - opening, closing, and what is asked at any time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../limit_ranger.h"

/* ---- opening ---- */

static bool
make_sources(cluster *self)
{
	const cluster_options *options = &self->options;
	bool all = options->namespace_count == 0;

	self->source_count = all ? 1 : options->namespace_count;
	self->sources = calloc(self->source_count, sizeof *self->sources);
	for (size_t i = 0; self->sources != NULL && i < self->source_count; i++) {
		cluster_source *source = &self->sources[i];

		source->owner = self;
		source->namespace = all ? NULL : options->namespaces[i];
		atomic_init(&source->heard, 0);
		if (asprintf(&source->path, "/api/v1/%s%s%slimitranges", all ? "" : "namespaces/",
		             all ? "" : source->namespace, all ? "" : "/") < 0) {
			source->path = NULL;
			return false;
		}
	}
	return self->sources != NULL;
}

/* A change of another option must not leave requests without an answer until the next list. */
static void
take_over(cluster *self, cluster *before)
{
	/* Would what is read of a LimitRange be the same? */
	bool alike = self->ranger->defaulting == before->ranger->defaulting &&
	             self->ranger->report == before->ranger->report;
	bool copied;

	pthread_mutex_lock(&before->lock);
	copied = atomic_load(&before->states.current) != NULL &&
	         cluster_objects_copy(&self->objects, &before->objects, alike);
	for (size_t i = 0; i < self->source_count; i++)
		atomic_store(&self->sources[i].heard, atomic_load(&before->sources[i].heard));
	pthread_mutex_unlock(&before->lock);
	copied = copied && cluster_publish(self);
	for (size_t i = 0; i < self->source_count; i++)
		self->sources[i].known = copied;
	if (!copied)
		cluster_objects_clear(&self->objects);
}

static int
start(cluster *self, cluster *before, limen_opening *opening, limen_diag *diag)
{
	int result = cluster_find(self, opening, diag);

	if (result != LIMEN_OK)
		return result;
	if (!make_sources(self))
		return LIMEN_ENOMEM;
	if (before != NULL && self->target.server != NULL && before->target.server != NULL &&
	    strcmp(self->target.server, before->target.server) == 0 &&
	    limen_value_equal(self->option, before->option))
		take_over(self, before);
	limen_host_set_ready(self->host, atomic_load(&self->states.current) != NULL);
	return self->missing[0] == '\0' ? cluster_follow(self) : LIMEN_OK;
}

int
cluster_open(cluster **out, const limit_ranger *ranger, cluster *before,
             limen_opening *opening, limen_diag *diag)
{
	cluster_options options;
	int result = cluster_options_read(ranger->cluster_option, &options, diag);
	cluster *self;

	if (result != LIMEN_OK || !options.wanted)
		return result;
	self = calloc(1, sizeof *self);
	if (self == NULL)
		return LIMEN_ENOMEM;
	self->ranger = ranger;
	self->host = limen_opening_host(opening);
	self->option = ranger->cluster_option;
	self->options = options;
	pthread_mutex_init(&self->lock, NULL);
	pthread_mutex_init(&self->error_lock, NULL);
	cluster_lists_open(&self->lists);
	result = start(self, before, opening, diag);
	if (result == LIMEN_OK)
		*out = self;
	else
		cluster_close(self);
	return result;
}

void
cluster_close(cluster *self)
{
	if (self == NULL)
		return;
	cluster_lists_close(&self->lists);
	cluster_state_free(atomic_load(&self->states.current));
	cluster_objects_clear(&self->objects);
	for (size_t i = 0; self->sources != NULL && i < self->source_count; i++) {
		cluster_objects_clear(&self->sources[i].pending);
		free(self->sources[i].path);
	}
	free(self->sources);
	kube_target_clear(&self->target);
	pthread_mutex_destroy(&self->lock);
	pthread_mutex_destroy(&self->error_lock);
	free(self);
}

/* ---- deciding ---- */

/* Copies the first error of a source; "" if there is none. */
static void
get_error(cluster *self, char out[KUBE_ERROR_MAX])
{
	snprintf(out, KUBE_ERROR_MAX, "%s", self->missing);
	pthread_mutex_lock(&self->error_lock);
	for (size_t i = 0; i < self->source_count && *out == '\0'; i++)
		memcpy(out, self->sources[i].error, KUBE_ERROR_MAX);
	pthread_mutex_unlock(&self->error_lock);
}

bool
cluster_state_has(cluster *self, const cluster_state *state, const char *namespace,
                  limen_reply *reply)
{
	const cluster_gap *gap;
	char error[KUBE_ERROR_MAX];

	if (state == NULL) {
		get_error(self, error);
		limen_reply_reason(reply, "the LimitRanges of the cluster are not known yet%s%s",
		                   *error == '\0' ? "" : ": ", error);
		return false;
	}
	gap = cluster_objects_gap(&state->kept, namespace);
	if (gap != NULL)
		limen_reply_reason(reply, "the namespace \"%s\" %s", namespace,
		                   cluster_gap_text(gap->why));
	return gap == NULL;
}

static bool
is_followed(const cluster_options *options, const char *namespace)
{
	bool followed = options->namespace_count == 0;

	for (size_t i = 0; i < options->namespace_count; i++)
		followed = followed || strcmp(options->namespaces[i], namespace) == 0;
	return followed;
}

bool
cluster_ready(cluster *self, const char *namespace, const limen_request *req)
{
	name_problems problems = { .count = 0 };
	const cluster_state *state;
	unsigned turn;
	bool known;

	names_check_label(namespace, strlen(namespace), &problems);
	if (problems.count > 0 || !is_followed(&self->options, namespace))
		return true;
	state = swap_enter(&self->states, &turn);
	known = state == NULL || cluster_objects_gap(&state->kept, namespace) != NULL ||
	        range_set_has(&state->set, namespace);
	cluster_leave(self, turn);
	return known || cluster_list_ready(self, namespace, req);
}

limen_verdict
cluster_enter(cluster *self, const char *namespace, const range_set **out, unsigned *turn,
              limen_reply *reply)
{
	const cluster_state *state;

	if (!is_followed(&self->options, namespace)) {
		limen_reply_reason(reply, "the LimitRanges of the namespace \"%s\" are not followed",
		                   namespace);
		return LIMEN_ERROR;
	}
	if (!atomic_load_explicit(&self->asked, memory_order_relaxed))
		atomic_store(&self->asked, true);
	state = swap_enter(&self->states, turn);
	if (cluster_state_has(self, state, namespace, reply)) {
		*out = &state->set;
		return LIMEN_PASS;
	}
	cluster_leave(self, *turn);
	return LIMEN_ERROR;
}

void
cluster_leave(cluster *self, unsigned turn)
{
	swap_leave(&self->states, turn);
}

/* ---- status ---- */

/* Returns the seconds since the source with the oldest news was last heard. */
static double
get_age(const cluster *self)
{
	int64_t now = limen_host_monotonic();
	int64_t oldest = now;

	for (size_t i = 0; i < self->source_count; i++) {
		int64_t heard = atomic_load(&self->sources[i].heard);

		oldest = heard < oldest ? heard : oldest;
	}
	return (double)(now - oldest) / 1e9;
}

static void
report_counts(cluster *self, limen_builder *build)
{
	bool synced = true;

	pthread_mutex_lock(&self->lock);
	for (size_t i = 0; i < self->source_count; i++)
		synced = synced && self->sources[i].synced;
	limen_builder_bool(build, "synced", synced);
	limen_builder_int(build, "objects", (int64_t)self->objects.count);
	limen_builder_int(build, "bytes", (int64_t)self->objects.bytes);
	limen_builder_int(build, "namespacesCrowdedOut", (int64_t)self->objects.gap_count);
	pthread_mutex_unlock(&self->lock);
}

static void
report_state(const cluster_state *state, limen_builder *build)
{
	size_t left;

	limen_builder_bool(build, "ready", state != NULL);
	if (state == NULL)
		return;
	limen_builder_int(build, "broken", (int64_t)(state->set.broken + state->kept.gap_count));
	left = range_set_report(&state->set, CLUSTER_SHOWN_MAX, CLUSTER_SHOWN_BYTES_MAX, build);
	limen_builder_int(build, "limitRangesLeftOut", (int64_t)left);
}

void
cluster_report(cluster *self, limen_builder *build)
{
	char error[KUBE_ERROR_MAX];
	unsigned turn;
	const cluster_state *state = swap_enter(&self->states, &turn);

	report_state(state, build);
	if (state != NULL)
		limen_builder_real(build, "age", get_age(self));
	cluster_leave(self, turn);
	report_counts(self, build);
	get_error(self, error);
	if (*error != '\0')
		limen_builder_text(build, "error", error);
}
