/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - what becomes of every decision of the daemon: it is counted for
 * /metrics and, if asked for, written to the decision log.
 */
#ifndef LIMEND_RECORD_H
#define LIMEND_RECORD_H

#include <limen/decision.h>
#include <limen/engine.h>
#include <limen/request.h>

#include "http.h"
#include "service.h"

/* One decision that was made. */
typedef struct record {
	const char *endpoint;          /* "/admission/validate" */
	const limen_request *request;
	const limen_decision *decision;
	int64_t nanoseconds;           /* what the decision took */
	const http_peer *peer;
	const char *id;                /* JSON, what the sender calls his question; or NULL */
	limen_switch rewrite;          /* as the sender wants it */
	limen_switch prioritize;
} record;

/* From any thread; never blocks on a disk. */
void record_decision(service *shared, const record *record);

#endif
