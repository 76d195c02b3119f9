/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - what the daemon counts, for Prometheus.  docs/observability.md
 * lists every family.
 *
 * Counting may be done from any thread, waits for nobody for long and keeps at
 * most some thousand names; all functions take NULL for "nothing is counted".
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
 * Makes the account of 'engine', which has to outlive it.  'wanted' is how many
 * of the keys that are refused most are shown; 0: none, because they name people.
 */
metrics *metrics_new(limen_engine *engine, size_t wanted);
void metrics_free(metrics *self);

/* Counts a decision that was made. */
void metrics_count_decision(metrics *self, const record *made);

/* Counts an answer; 'path' is NULL where none was read. */
void metrics_count_response(metrics *self, const char *path, int status);

/* Counts a connection that was shut down to make room for another. */
void metrics_count_shed(metrics *self);

/* Counts an attempt to load the policy; from the start on, so also the first. */
void metrics_count_reload(metrics *self, bool good);

/* Is a policy in force?  One is once a load went well, whatever becomes of later ones. */
bool metrics_has_policy(const metrics *self);

/* What the engine says of itself, a moment ago at most; NULL if it never said a thing. */
struct observer *metrics_observer(metrics *self);

/* What metrics_write() shows of the rest of the daemon. */
typedef struct metrics_facts {
	limen_time started;
	bool draining;
	const double *tls_days_left; /* NULL: no TLS */
	decision_log *decisions;     /* NULL: no decision log */
} metrics_facts;

/* Writes all families. */
void metrics_write(metrics *self, const metrics_facts *facts, GString *out);

#endif
