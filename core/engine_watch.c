/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_watch.c - reloading by itself.  The directory or file that was loaded
 * is watched; what counts is whether the content changed, not any file time.
 */
#include "engine.h"

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

void
engine_watch(limen_engine *engine)
{
	if (!(engine->flags & LIMEN_ENGINE_WATCH) || engine->source_path == NULL ||
	    engine->watcher != NULL)
		return;
	engine->watcher = host_new(engine->background, "engine", "watch");
	if (engine->watcher == NULL)
		return;
	limen_host_watch_path(engine->watcher, engine->source_path, reload, engine);
	host_activate(engine->watcher);
}

void
engine_stop_watching(limen_engine *engine)
{
	host_free(engine->watcher);
	engine->watcher = NULL;
}
