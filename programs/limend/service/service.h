/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - the state that all endpoints share: the engine, the metrics, the decision log and
 * the settings.  Made once at the start; only 'draining' and 'answers' change while requests are
 * served.
 */
#ifndef LIMEND_SERVICE_H
#define LIMEND_SERVICE_H

#include <limen/cidr.h>
#include <limen/engine.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "audit/decision_log.h"
#include "metrics/metrics.h"

/* Functions of the console at /ui. */
typedef enum ui_mode {
	UI_OFF = 0,
	UI_VIEW = 1,      /* shows policy, metrics and log */
	UI_PLAYGROUND = 2 /* also offers dry runs of requests */
} ui_mode;

struct certificate; /* transport/certificate.h */

typedef struct service {
	limen_engine *engine;
	metrics *metrics;
	decision_log *decisions;            /* NULL: no decision log */
	bool short_messages;                /* answers tell the decision without its reasons */
	const limen_cidr_set *trusted;      /* peers whose hints count; may be NULL */
	bool without_policy;                /* --without-policy: everything is admitted */
	limen_duration timeout;             /* longest decision; 0: no bound */
	char **hosts;                       /* names of --allow-host; NULL: none */
	size_t batch_maximum;               /* requests in one batch */
	size_t answers_maximum;             /* bytes of answers in memory; 0: no bound */
	atomic_size_t answers;              /* bytes of answers in memory now */
	ui_mode ui;
	int64_t started;                    /* limen_host_monotonic() */
	limen_time started_wall;
	atomic_bool draining;               /* shutting down: /readyz fails */
	/* Days until the certificate expires; NULL: no TLS.  Called with 'certificate'. */
	double (*tls_days_left)(struct certificate *certificate);
	struct certificate *certificate;
} service;

/* Counts a decision and logs it.  From any thread; never waits for a disk. */
void record_decision(service *shared, const record *made);

#endif
