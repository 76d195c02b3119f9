/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - the counters of the daemon, for Prometheus.  docs/observability.md lists every
 * family.
 *
 * Counting works from any thread, holds locks only briefly and keeps at most some thousand names.
 */
#ifndef LIMEND_METRICS_H
#define LIMEND_METRICS_H

#include <glib.h>
#include <stdbool.h>

#include "audit/decision_log.h"

typedef struct metrics metrics;

/* Most refused keys that can be shown; each is a series of Prometheus. */
#define TOP_MAX 100

/* Most namespaces that can be asked for; each entry has series of Prometheus for each. */
#define NAMESPACES_MAX 10000

/* A row of the table of endpoints, as metrics count it. */
typedef struct metrics_path {
	const char *path; /* NULL: counted as "other" */
	bool decides;     /* its decisions and their durations are shown */
} metrics_path;

/*
 * 'wanted' is the number of most refused keys to show; 0 shows none, because keys name people.
 * 'namespaces' is the number of namespaces in which refusals are counted, NAMESPACES_MAX at most; those
 * beyond are counted together.  0: they are not counted.
 * 'paths' are the rows of the table of endpoints.
 */
metrics *metrics_new(size_t wanted, size_t namespaces, const metrics_path *paths, size_t count);
void metrics_free(metrics *self);

/* Counts a decision that was made. */
void metrics_count_decision(metrics *self, const record *facts);

/* Counts a response; 'row' is HTTP_NO_ROW if the path does not exist or was not read. */
void metrics_count_response(metrics *self, size_t row, int status);

/* Counts a connection that was shut down to make room for another. */
void metrics_count_shed(metrics *self);

/* Counts an attempt to load the policy, including the first one. */
void metrics_count_reload(metrics *self, bool good);

/* Is a policy in force?  True from the first successful load on, even if later loads fail. */
bool metrics_has_policy(const metrics *self);

/* Notes when the certificate in use expires. */
void metrics_note_expiry(metrics *self, limen_time expires);

/* Writes all families.  'decisions' is NULL without a decision log. */
void metrics_write(metrics *self, decision_log *decisions, bool draining, GString *out);

#endif
