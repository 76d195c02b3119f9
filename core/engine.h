/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - the engine from the inside, for the few files that share it:
 * engine.c, engine_watch.c and engine_describe.c.
 */
#ifndef LIMEN_CORE_ENGINE_H
#define LIMEN_CORE_ENGINE_H

#include <limen/engine.h>
#include <pthread.h>

#include "engine_private.h"
#include "policy.h"
#include "pool.h"

struct limen_engine {
	arena memory; /* options' texts */
	module_path path;
	unsigned flags;
	host_services services;
	background *background;
	pool *workers;

	pthread_mutex_t control; /* loading, one at a time; guards all below but 'current' */
	char *source_path; /* what was loaded last: a path, or a text */
	char *source_name;
	char *source_text;
	size_t source_length;
	policy *graveyard;
	unsigned long loads;
	limen_time loaded_at;
	char *last_error; /* of the last load; NULL if it went well */
	limen_host *watcher;
	char *watched_path;
	void (*reloaded)(void *data, int result, const limen_diag *diag);
	void *reloaded_data;

	pthread_mutex_t swap; /* guards 'current' */
	policy *current;
};

/*
 * Watches the source, if the engine was told to.  Control lock held.  Returns a
 * watcher that is no longer wanted (or NULL), to be freed once the lock is let
 * go: its job may be waiting for that very lock.
 */
limen_host *engine_watch(limen_engine *engine);
void engine_stop_watching(limen_engine *engine);

#endif
