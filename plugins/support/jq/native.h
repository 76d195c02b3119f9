/* SPDX-License-Identifier: Apache-2.0 */
/*
 * native.h - functions of limen's own that scripts reach through the guards:
 * "debug" tells what is wanted, "input" takes the answer.
 */
#ifndef LIMEN_SUPPORT_JQ_NATIVE_H
#define LIMEN_SUPPORT_JQ_NATIVE_H

#include <stdbool.h>

#include <limen/request.h>

#include "regex.h"
#include "watchdog.h"

typedef struct native {
	regex_cache patterns;
	const limen_request *req; /* of this run; NULL: there is none */
	jv hints;                 /* of this run if there is no request; invalid: none */
	jv answer;
	bool is_answered;
} native;

void native_init(native *made);
void native_free(native *freed);

/*
 * Before and after a run: what 'req' there is (may be NULL), or what 'hints' (not
 * consumed; may be invalid), and no answer.
 */
void native_reset(native *self, const limen_request *req, jv hints);

/* What a script gave to debug; consumed. */
void native_hear(native *self, jv message, watchdog_run *run);

/* What "input" gets. */
jv native_answer(native *self);

#endif
