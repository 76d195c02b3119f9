/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.c - what the watches tell, on their threads.
 *
 * Nothing is in force until all sources have been listed; afterwards each change
 * is, and an API server that is away leaves what was known.
 */
#include <stdio.h>
#include <string.h>

#include "cluster.h"

static bool
is_stopping(void *data)
{
	const cluster_source *source = data;

	return limen_host_stopping(source->owner->host);
}

static void
begin_list(void *data)
{
	cluster_source *source = data;

	pthread_mutex_lock(&source->owner->lock);
	cluster_objects_clear(&source->pending);
	source->listing = true;
	pthread_mutex_unlock(&source->owner->lock);
}
/* The list of a namespace that the watch knows more of is forgotten. */
static bool
change(cluster_source *source, limen_value object, bool is_there, char why[KUBE_ERROR_MAX])
{
	cluster *self = source->owner;
	limen_value metadata = limen_value_get(object, "metadata");
	const char *namespace = limen_value_string(limen_value_get(metadata, "namespace"), NULL);
	bool taken;

	pthread_mutex_lock(&self->lock);
	if (is_there)
		taken = cluster_objects_put(source->listing ? &source->pending : &self->objects,
		                            &self->objects, object, source, why);
	else
		taken = cluster_objects_drop(&self->objects, object, source, why);
	pthread_mutex_unlock(&self->lock);
	if (namespace != NULL)
		cluster_list_forget(self, namespace);
	return taken;
}

static bool
put_object(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	return change(data, object, true, why);
}

static bool
drop_object(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	return change(data, object, false, why);
}

static bool
all_known(const cluster *self)
{
	for (size_t i = 0; i < self->source_count; i++)
		if (!self->sources[i].known)
			return false;
	return true;
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	cluster_source *source = data;
	cluster *self = source->owner;
	bool first; /* what was known of the source until now was nothing */
	bool ready;
	bool good;

	pthread_mutex_lock(&self->lock);
	first = listed && !source->synced;
	good = !listed || cluster_objects_take(&self->objects, source);
	if (good && listed)
		source->synced = source->known = true;
	ready = all_known(self);
	good = good && (!ready || cluster_publish(self));
	pthread_mutex_unlock(&self->lock);
	if (!good) {
		snprintf(why, KUBE_ERROR_MAX, "%s", limen_result_text(LIMEN_ENOMEM));
		return false;
	}
	atomic_store(&source->heard, limen_host_monotonic());
	if (first)
		limen_host_log(self->host, LIMEN_LOG_INFO,
		               "listed the LimitRanges of %s%s%s: following their changes",
		               self->target.server,
		               source->namespace == NULL ? "" : " in the namespace ",
		               source->namespace == NULL ? "" : source->namespace);
	if (ready)
		limen_host_set_ready(self->host, true);
	return true;
}

static void
tell(void *data, const char *error)
{
	cluster_source *source = data;
	cluster *self = source->owner;
	const char *text = error == NULL ? "" : error;
	bool news;

	if (error != NULL)
		atomic_store(&self->asked, false);
	pthread_mutex_lock(&self->error_lock);
	news = strcmp(source->error, text) != 0;
	snprintf(source->error, sizeof source->error, "%s", text);
	pthread_mutex_unlock(&self->error_lock);
	if (news && error != NULL)
		limen_host_log(self->host, LIMEN_LOG_WARNING, "%s", error);
	else if (news)
		limen_host_log(self->host, LIMEN_LOG_INFO, "%s can be watched again",
		               self->target.server);
}

static void
count(void *data, kube_event event)
{
	static const char *const names[] = {
		[KUBE_LIST] = "lists",
		[KUBE_WATCH] = "watches",
		[KUBE_CHANGE] = "events",
		[KUBE_RESTART] = "restarts",
	};
	const cluster_source *source = data;

	limen_host_counter_add(source->owner->host, names[event], 1);
}

static bool
want_again(void *data)
{
	cluster_source *source = data;
	cluster *self = source->owner;
	bool wanted;

	pthread_mutex_lock(&self->lock);
	wanted = cluster_objects_again(&self->objects, source, limen_host_monotonic());
	pthread_mutex_unlock(&self->lock);
	return wanted;
}

/* An API server that asks for a decision can be reached again, as a rule. */
static bool
is_asked(void *data)
{
	const cluster_source *source = data;

	return atomic_load(&source->owner->asked);
}

static void
follow(void *data)
{
	cluster_source *source = data;

	source->watch.stop_fd = limen_host_stopping_fd(source->owner->host);
	kube_watch_run(&source->watch);
}

int
cluster_follow(cluster *self)
{
	int result = LIMEN_OK;

	for (size_t i = 0; i < self->source_count && result == LIMEN_OK; i++) {
		cluster_source *source = &self->sources[i];

		source->watch = (kube_watch){
			.target = &self->target,
			.path = source->path,
			.times = &kube_times_usual,
			.stop_fd = -1,
			.listener = {
				.data = source,
				.stopping = is_stopping,
				.begin = begin_list,
				.put = put_object,
				.drop = drop_object,
				.commit = commit,
				.tell = tell,
				.count = count,
				.again = want_again,
				.hurry = is_asked,
			},
		};
		result = limen_host_run(self->host, follow, source);
	}
	return result;
}
