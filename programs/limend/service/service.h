/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - the state of the daemon that its endpoints share.
 */
#ifndef LIMEND_SERVICE_H
#define LIMEND_SERVICE_H

#include <stdatomic.h>

#include "audit/recent.h"
#include "metrics/history.h"
#include "metrics/metrics.h"
#include "metrics/observer.h"
#include "watch.h"

/* The engine, and where its decisions are counted and logged. */
typedef struct decider {
	limen_engine *engine;
	metrics *metrics;
	decision_log *decisions; /* NULL: no decision log */
	recent *recent;          /* NULL: no decisions are kept */
	history *history;        /* NULL: none, in tests */
	limen_duration timeout;  /* longest decision; 0: no bound */
	bool short_messages;     /* answers tell the decision without its reasons */
} decider;

/* Functions of the console at /ui. */
typedef enum ui_mode {
	UI_OFF = 0,
	UI_VIEW = 1,      /* shows policy, metrics and log */
	UI_PLAYGROUND = 2 /* also offers dry runs of requests */
} ui_mode;

/* The state that endpoints share.  Only what is atomic changes while requests are served. */
typedef struct service {
	decider decider;
	observer *observer;
	watch *watch;
	char **hosts;         /* names of --allow-host; NULL: none */
	const limen_cidr_set *gate_from; /* proxies that may ask at /v1/gate/; NULL: none */
	const limen_cidr_set *proxies;   /* skipped in X-Forwarded-For; NULL: none */
	size_t batch_maximum; /* requests in one batch */
	ui_mode ui;
	bool validates_policies;          /* --validate-policies: /admission/policy answers */
	const char *validate_directory;   /* for their files; NULL: that of the system */
	const char *module_path;          /* --module-path; may be NULL */
	const char *namespace;            /* --namespace; may be NULL */
	bool without_policy;  /* --without-policy: everything is admitted */
	int64_t started;      /* limen_host_monotonic() */
	atomic_bool draining; /* shutting down: /readyz fails */
	atomic_bool gate_refused; /* the log has a peer that may not ask there */
} service;

#endif
