/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_watch.c - reloading by itself.  The directory or file that was loaded
 * is watched; what counts is whether the content changed, not any file time.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

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

static limen_host *
start_watching(limen_engine *engine)
{
	limen_host *host = host_new(engine->background, "engine", "watch");

	if (host == NULL)
		return NULL;
	limen_host_watch_path(host, engine->source_path, reload, engine);
	host_activate(host);
	return host;
}

limen_host *
engine_watch(limen_engine *engine)
{
	limen_host *stale = engine->watcher;
	const char *path = engine->flags & LIMEN_ENGINE_WATCH ? engine->source_path : NULL;

	if (path == NULL && stale == NULL)
		return NULL;
	if (path != NULL && engine->watched_path != NULL && stale != NULL &&
	    strcmp(path, engine->watched_path) == 0)
		return NULL;
	free(engine->watched_path);
	engine->watched_path = path == NULL ? NULL : strdup(path);
	engine->watcher = path == NULL ? NULL : start_watching(engine);
	return stale;
}

void
engine_stop_watching(limen_engine *engine)
{
	host_free(engine->watcher);
	engine->watcher = NULL;
	free(engine->watched_path);
	engine->watched_path = NULL;
}
