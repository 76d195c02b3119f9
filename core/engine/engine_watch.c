/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_watch.c - reloading by itself.  The directory or file that was loaded
 * is watched, and so is every file elsewhere that its files name or a module of
 * the policy in force has read; what counts is whether the content changed, not
 * any file time.
 *
 * Those files come and go with policies, so those of each policy have a host of
 * their own, which is exchanged as a whole; and so have those that a load that
 * failed tried to read (module/tried.c).
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "file/file.h"

/* How soon to load again what changed while it was loaded. */
#define AGAIN_AFTER ((limen_duration)100000)

static void
reload(void *data)
{
	limen_engine *engine = data;
	limen_diag *diag = limen_diag_new();
	int result = limen_engine_reload(engine, diag);

	if (engine->reloaded != NULL)
		engine->reloaded(engine->reloaded_data, result, diag);
	limen_diag_free(diag);
}

/* Reports and logs that a path is not watched: changes to it are not reloaded. */
static void
report_unwatched(limen_engine *engine, const char *what, limen_diag *diag)
{
	static const char format[] = "memory is short: changes of %s are not noticed";

	limen_diag_add(diag, LIMEN_WARNING, limen_value_none(), format, what);
	limen_host_log(engine->host, LIMEN_LOG_ERROR, format, what);
}

/* ---- the source ---- */

static limen_host *
start_watching(limen_engine *engine, const char *path)
{
	limen_host *host = host_new(engine->inputs.background, "engine", "watch");

	if (host == NULL)
		return NULL;
	if (limen_host_watch_path(host, path, reload, engine) != LIMEN_OK) {
		host_free(host);
		return NULL;
	}
	host_activate(host);
	return host;
}

limen_host *
engine_watch(limen_engine *engine, limen_diag *diag)
{
	limen_host *stale = engine->watcher;
	bool wanted = (engine->flags & LIMEN_ENGINE_WATCH) && !engine->closing;
	const char *path = wanted ? engine->source_path : NULL;

	if (path != NULL && engine->watched_path != NULL && stale != NULL &&
	    strcmp(path, engine->watched_path) == 0)
		return NULL;
	free(engine->watched_path);
	engine->watched_path = path == NULL ? NULL : strdup(path);
	engine->watcher = path == NULL ? NULL : start_watching(engine, path);
	if (path != NULL && engine->watcher == NULL)
		report_unwatched(engine, path, diag);
	return stale;
}

/* ---- what its files name and modules have read ---- */

typedef struct path_list {
	const char **items; /* NULL: only counting */
	size_t count;
	bool stale; /* a file has changed since it was read */
} path_list;

static void
add_path(path_list *list, const char *path)
{
	if (list->items != NULL)
		list->items[list->count] = path;
	list->count++;
}

static void
add_inputs(void *data, instance *inst)
{
	for (const input *one = inst->inputs; one != NULL; one = one->next)
		add_path(data, one->path);
}

static void
collect_paths(limen_engine *engine, path_list *list)
{
	const conf *files = engine->current->files;

	list->count = 0;
	for (size_t i = files->own_count; i < files->file_count; i++)
		add_path(list, files->files[i]);
	policy_each_instance(engine->current, add_inputs, list);
}

static bool
is_changed(const char *path, uint64_t hash)
{
	char *text = NULL;
	size_t length = 0;
	bool changed;

	if (file_read(path, &text, &length) != LIMEN_OK)
		return hash != 0;
	changed = file_hash(text, length) != hash;
	free(text);
	return changed;
}

static void
check_named(const conf *files, path_list *list)
{
	for (size_t i = files->own_count; i < files->file_count; i++)
		list->stale = list->stale || is_changed(files->files[i], files->file_hashes[i]);
}

static void
check_inputs(void *data, instance *inst)
{
	path_list *list = data;

	list->stale = list->stale || !instance_is_fresh(inst);
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
	qsort(list->items, list->count, sizeof(*list->items), compare_paths);
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0 && strcmp(list->items[i - 1], list->items[i]) == 0)
			continue;
		if (limen_host_watch_path(host, list->items[i], reload, engine) != LIMEN_OK)
			report_unwatched(engine, list->items[i], diag);
	}
}

/*
 * Files have been read before they are watched: what changed between
 * is loaded again.
 */
static void
watch_inputs(limen_engine *engine, limen_host *host, path_list *list, limen_diag *diag)
{
	watch_paths(engine, host, list, diag);
	check_named(engine->current->files, list);
	policy_each_instance(engine->current, check_inputs, list);
	if (list->stale && limen_host_after(host, AGAIN_AFTER, reload, engine) != LIMEN_OK)
		report_unwatched(engine, "files that the policy names", diag);
	host_activate(host);
}

limen_host *
engine_watch_inputs(limen_engine *engine, limen_diag *diag)
{
	limen_host *stale = engine->input_watcher;
	path_list list = { .items = NULL };

	engine->input_watcher = NULL;
	if (!(engine->flags & LIMEN_ENGINE_WATCH) || engine->closing || engine->services.passive)
		return stale;
	collect_paths(engine, &list);
	if (list.count == 0)
		return stale;
	list.items = calloc(list.count, sizeof(*list.items));
	engine->input_watcher = host_new(engine->inputs.background, "engine", "inputs");
	if (list.items == NULL || engine->input_watcher == NULL) {
		report_unwatched(engine, "files that the policy names", diag);
	} else {
		collect_paths(engine, &list);
		watch_inputs(engine, engine->input_watcher, &list, diag);
	}
	free(list.items);
	return stale;
}

/* Files of the policy in force are watched already and are skipped. */
static bool
is_watched(const path_list *list, const char *path)
{
	return list->count > 0 && bsearch(&path, list->items, list->count, sizeof(*list->items),
	                                  compare_paths) != NULL;
}

static void
watch_tried(limen_engine *engine, limen_host *host, const path_list *known, limen_diag *diag)
{
	bool stale = false;

	for (const input *one = engine->inputs.tried.list; one != NULL; one = one->next) {
		if (is_watched(known, one->path))
			continue;
		if (limen_host_watch_path(host, one->path, reload, engine) != LIMEN_OK)
			report_unwatched(engine, one->path, diag);
		stale = stale || !input_is_fresh(one);
	}
	if (stale && limen_host_after(host, AGAIN_AFTER, reload, engine) != LIMEN_OK)
		report_unwatched(engine, "files that the policy names", diag);
	host_activate(host);
}

/* The paths that are watched for the policy in force, sorted; none when memory is short. */
static path_list
list_watched(limen_engine *engine)
{
	path_list list = { .items = NULL };

	if (engine->input_watcher == NULL)
		return list;
	collect_paths(engine, &list);
	list.items = calloc(list.count + 1, sizeof(*list.items));
	if (list.items == NULL)
		return (path_list){ .items = NULL };
	collect_paths(engine, &list);
	qsort(list.items, list.count, sizeof(*list.items), compare_paths);
	return list;
}

limen_host *
engine_watch_tried(limen_engine *engine, limen_diag *diag)
{
	limen_host *stale = engine->tried_watcher;
	path_list known;

	engine->tried_watcher = NULL;
	if (!(engine->flags & LIMEN_ENGINE_WATCH) || engine->closing || engine->services.passive)
		return stale;
	if (engine->inputs.tried.list != NULL)
		engine->tried_watcher = host_new(engine->inputs.background, "engine", "tried");
	if (engine->inputs.tried.incomplete || (engine->inputs.tried.list != NULL && engine->tried_watcher == NULL))
		report_unwatched(engine, "files that the policy names", diag);
	if (engine->tried_watcher == NULL)
		return stale;
	known = list_watched(engine);
	watch_tried(engine, engine->tried_watcher, &known, diag);
	free(known.items);
	return stale;
}

void
engine_stop_watching(limen_engine *engine)
{
	limen_host *watcher;
	limen_host *input_watcher;
	limen_host *tried_watcher;

	/* A reload that is under way would exchange them. */
	pthread_mutex_lock(&engine->control);
	engine->closing = true;
	watcher = engine->watcher;
	input_watcher = engine->input_watcher;
	tried_watcher = engine->tried_watcher;
	engine->watcher = NULL;
	engine->input_watcher = NULL;
	engine->tried_watcher = NULL;
	pthread_mutex_unlock(&engine->control);
	host_free(watcher);
	host_free(input_watcher);
	host_free(tried_watcher);
	free(engine->watched_path);
	engine->watched_path = NULL;
}
