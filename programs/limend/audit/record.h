/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - the facts of one decision that metrics and the decision log keep.
 */
#ifndef LIMEND_RECORD_H
#define LIMEND_RECORD_H

#include <limen/decision.h>
#include <limen/engine.h>
#include <limen/request.h>

#include "http/http.h"

typedef struct record {
	const char *endpoint;          /* "/admission/validate" */
	const limen_request *request;
	const limen_decision *decision;
	int64_t nanoseconds;           /* duration of the decision */
	const http_peer *peer;
	const char *id;                /* JSON id of the question; or NULL */
	limen_switch rewrite;          /* as requested by the sender, like 'prioritize' */
	limen_switch prioritize;
} record;

#endif
