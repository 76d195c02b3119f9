/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - what all endpoints share: the engine and those who keep account of
 * it.  Made once at the start; only 'draining' and 'answers' change.
 */
#ifndef LIMEND_SERVICE_H
#define LIMEND_SERVICE_H

#include <limen/cidr.h>
#include <limen/engine.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct metrics metrics;           /* metrics.h */
typedef struct decision_log decision_log; /* decision_log.h */

/* Of the console (ui.c). */
typedef enum ui_mode {
	UI_OFF = 0,
	UI_VIEW = 1,      /* shows what is there */
	UI_PLAYGROUND = 2 /* and decides requests as if */
} ui_mode;

typedef struct service {
	limen_engine *engine;
	metrics *metrics;
	decision_log *decisions;            /* NULL: none is kept */
	bool short_messages;                /* answers tell what was decided, and not why */
	const limen_cidr_set *trusted;      /* peers whose hints count; may be NULL */
	bool without_policy;                /* none is wanted: everything is admitted */
	limen_duration timeout;             /* how long a decision may take at most */
	char **hosts;                       /* more names of this daemon; NULL: none */
	size_t batch_maximum;               /* requests in one batch */
	size_t answers_maximum;             /* bytes of answers in memory; 0: as many as come */
	atomic_size_t answers;              /* that are */
	ui_mode ui;
	int64_t started;                    /* limen_host_monotonic() */
	limen_time started_wall;
	atomic_bool draining;               /* about to end: not ready any more */
	struct certificate *certificate;    /* certificate.h; NULL: no TLS */
	/* Days until the certificate expires; false, or NULL itself: there is none. */
	bool (*tls_days_left)(const struct service *self, double *days);
} service;

#endif
