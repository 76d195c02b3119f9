/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_watch.c - reloading by itself.  The directories and files that were loaded
 * are watched, and so is every file elsewhere that its files name or a module of
 * the policy in force has read; what counts is whether the content changed, not
 * any file time.
 *
 * Those files come and go with policies, so they have a host of their own, which each load
 * exchanges as a whole.  It watches the files that a load that failed tried to read, too
 * (module/tried.c).
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

/* How soon to load again what changed while it was loaded. */
#define AGAIN_AFTER ((limen_duration)100000)

static void
reload(void *data)
{
	limen_engine *engine = data;
	limen_diag *diag = limen_diag_new();
	bool changed;
	int result = engine_reload(engine, &changed, diag);

	if (changed && engine->reloaded != NULL)
		engine->reloaded(engine->reloaded_data, result, diag);
	limen_diag_free(diag);
}

/* Reports and logs that a path is not watched: changes to it are not reloaded. */
static void
report_unwatched(limen_engine *engine, const char *text, limen_diag *diag)
{
	static const char format[] = "memory is short: changes of %s are not noticed";

	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_none(), format, text);
	limen_host_log(engine->host, LIMEN_LOG_ERROR, format, text);
}

/* ---- the source ---- */

static limen_host *
start_watching(limen_engine *engine, char *const *paths)
{
	limen_host *host = host_new(engine->inputs.background, "engine", "watch");

	if (host == NULL)
		return NULL;
	for (; *paths != NULL; paths++)
		if (limen_host_watch_path(host, *paths, reload, engine) != LIMEN_OK) {
			host_free(host);
			return NULL;
		}
	host_activate(host);
	return host;
}

static size_t
count_paths(char *const *paths)
{
	size_t count = 0;

	while (paths != NULL && paths[count] != NULL)
		count++;
	return count;
}

static bool
is_watched(const limen_engine *engine, char *const *paths, size_t count)
{
	size_t same = 0;

	if (engine->watcher == NULL || count_paths(engine->watched_paths) != count)
		return false;
	while (same < count && strcmp(paths[same], engine->watched_paths[same]) == 0)
		same++;
	return same == count;
}

limen_host *
engine_watch(limen_engine *engine, limen_diag *diag)
{
	limen_host *stale = engine->watcher;
	bool wanted = (engine->flags & LIMEN_ENGINE_WATCH) && !engine->closing;
	char **paths = wanted ? engine->source_files : NULL;
	size_t count = count_paths(paths);

	if (count > 0 && is_watched(engine, paths, count))
		return NULL;
	engine_source_free_list(engine->watched_paths);
	engine->watched_paths = engine_source_copy_list((const char *const *)paths, count);
	engine->watcher = count == 0 ? NULL : start_watching(engine, paths);
	if (count > 0 && engine->watcher == NULL)
		report_unwatched(engine, count == 1 ? paths[0] : "the policy", diag);
	return stale;
}

/* ---- what its files name and modules have read or tried to read ---- */

typedef struct path_list {
	const char **items; /* NULL: only counting */
	size_t count;
} path_list;

static void
add_path(void *data, const input *known)
{
	path_list *list = data;

	if (list->items != NULL)
		list->items[list->count] = known->path;
	list->count++;
}

static void
note_stale(void *data, const input *known)
{
	bool *stale = data;

	*stale = *stale || !input_is_fresh(known);
}

/* Calls 'each' for what the last load tried and, if 'current', what the policy in force reads. */
static void
each_input(const limen_engine *engine, bool current, void (*each)(void *data, const input *known),
           void *data)
{
	if (current && engine->current != NULL)
		policy_each_input(engine->current, each, data);
	for (const input *item = engine->inputs.tried.list; item != NULL; item = item->next)
		each(data, item);
}

static int
compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Watches each path once: several instances may read the same file. */
static void
watch_paths(limen_engine *engine, limen_host *host, path_list *list, limen_diag *diag)
{
	list->count = 0;
	each_input(engine, true, add_path, list);
	qsort(list->items, list->count, sizeof(*list->items), compare_paths);
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0 && strcmp(list->items[i - 1], list->items[i]) == 0)
			continue;
		if (limen_host_watch_path(host, list->items[i], reload, engine) != LIMEN_OK)
			report_unwatched(engine, list->items[i], diag);
	}
}

limen_host *
engine_watch_inputs(limen_engine *engine, bool successful, limen_diag *diag)
{
	static const char named[] = "files that the policy names";
	limen_host *stale = engine->input_watcher;
	path_list list = { .items = NULL };
	bool changed = false;

	engine->input_watcher = NULL;
	if (!(engine->flags & LIMEN_ENGINE_WATCH) || engine->closing || engine->services.passive)
		return stale;
	if (engine->inputs.tried.incomplete)
		report_unwatched(engine, named, diag);
	each_input(engine, true, add_path, &list);
	if (list.count == 0)
		return stale;
	list.items = calloc(list.count, sizeof(*list.items));
	engine->input_watcher = host_new(engine->inputs.background, "engine", "inputs");
	if (list.items == NULL || engine->input_watcher == NULL) {
		report_unwatched(engine, named, diag);
	} else {
		watch_paths(engine, engine->input_watcher, &list, diag);
		/* Files have been read before they are watched. */
		each_input(engine, successful, note_stale, &changed);
		if (changed &&
		    limen_host_after(engine->input_watcher, AGAIN_AFTER, reload, engine) != LIMEN_OK)
			report_unwatched(engine, named, diag);
		host_activate(engine->input_watcher);
	}
	free(list.items);
	return stale;
}

void
engine_stop_watching(limen_engine *engine)
{
	limen_host *watcher;
	limen_host *input_watcher;

	/* A reload that is under way would exchange them. */
	pthread_mutex_lock(&engine->control);
	engine->closing = true;
	watcher = engine->watcher;
	input_watcher = engine->input_watcher;
	engine->watcher = NULL;
	engine->input_watcher = NULL;
	pthread_mutex_unlock(&engine->control);
	host_free(watcher);
	host_free(input_watcher);
	engine_source_free_list(engine->watched_paths);
	engine->watched_paths = NULL;
}
