/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observer.h - caches the state of the engine and the process, renewed at most once a second.
 * Its own thread does that, because a load may lock the engine for a while, and the threads that
 * ask for the state also decide requests.
 */
#ifndef LIMEND_OBSERVER_H
#define LIMEND_OBSERVER_H

#include <glib.h>
#include <limen/engine.h>
#include <limen/value.h>
#include <stdbool.h>

typedef struct observer observer;

typedef enum sight {
	SIGHT_POLICY = 0,  /* limen_engine_describe(), indented */
	SIGHT_METRICS = 1, /* samples of the engine's instances and of the process */
	SIGHTS = 2
} sight;

observer *observer_new(limen_engine *engine);
void observer_free(observer *self);

/*
 * Appends the cached text.  If it is older than a second, waits a moment for a new one.  Returns
 * false if there is no text yet.
 */
bool observer_show(observer *self, sight kind, GString *out);

/* ---- its samples ---- */

/*
 * Writes status and counters of all instances, whatever their modules are.  'root' is the parsed
 * text of limen_engine_describe(), or none.
 */
void instance_metrics_write(limen_value root, GString *out);

/*
 * Writes the resource usage of the process, under the names that Prometheus client libraries use.
 * Values that /proc (proc(5)) does not provide are left out.
 */
void process_metrics_write(GString *out);

#endif
