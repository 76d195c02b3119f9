/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - the counters of the daemon, for Prometheus.  docs/observability.md lists every
 * family.
 *
 * Counting works from any thread, holds locks only briefly and keeps at most some thousand names.
 * The functions that count do nothing if 'self' is NULL.
 */
#ifndef LIMEND_METRICS_H
#define LIMEND_METRICS_H

#include <glib.h>
#include <limen/engine.h>
#include <stdbool.h>

#include "audit/decision_log.h"
#include "audit/record.h"

typedef struct metrics metrics;

/*
 * Creates the metrics of 'engine', which must outlive them.  'wanted' is the number of most
 * refused keys to show; 0 shows none, because keys name people.
 */
metrics *metrics_new(limen_engine *engine, size_t wanted);
void metrics_free(metrics *self);

/* Counts a decision that was made. */
void metrics_count_decision(metrics *self, const record *made);

/* Counts a response; 'path' is NULL if the request was refused before it was read. */
void metrics_count_response(metrics *self, const char *path, int status);

/* Counts a connection that was shut down to make room for another. */
void metrics_count_shed(metrics *self);

/* Counts an attempt to load the policy, including the first one. */
void metrics_count_reload(metrics *self, bool good);

/* Is a policy in force?  True from the first successful load on, even if later loads fail. */
bool metrics_has_policy(const metrics *self);

/* Returns the observer of the engine, owned by 'self'; NULL if 'self' is NULL. */
struct observer *metrics_observer(metrics *self);

/* Facts of the rest of the daemon that metrics_write() shows. */
typedef struct metrics_facts {
	limen_time started;
	bool draining;
	const double *tls_days_left; /* NULL: no TLS */
	decision_log *decisions;     /* NULL: no decision log */
} metrics_facts;

/* Writes all families. */
void metrics_write(metrics *self, const metrics_facts *facts, GString *out);

#endif
