/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - the facts of one decision, which metrics, the decision log and the kept decisions share.
 */
#ifndef LIMEND_RECORD_H
#define LIMEND_RECORD_H

#include <limen/decision.h>
#include <limen/engine.h>
#include <limen/request.h>
#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

/* The facts of one decision.  Everything is borrowed. */
typedef struct record {
	const char *endpoint;          /* "/admission/validate" */
	size_t row;                    /* as in http_request */
	const limen_request *request;
	const limen_decision *decision;
	int64_t nanoseconds;           /* duration of the decision */
	const http_peer *peer;
	limen_switch rewrite;          /* as requested by the sender, like 'prioritize' */
	limen_switch prioritize;
} record;

/* The outcome of a request. */
typedef enum record_outcome {
	RECORD_REFUSED,
	RECORD_WOULD_REFUSE, /* admitted, but an entry that only warns or audits would have refused */
	RECORD_ERROR,
	RECORD_ADMITTED,
	RECORD_OUTCOMES
} record_outcome;

/* Their words: "refused", "would-refuse", "error", "admitted". */
extern const char *const record_outcomes[RECORD_OUTCOMES];

record_outcome record_outcome_of(const limen_decision *decision);

/* Returns "task", "object" or "http". */
const char *record_subject(const record *facts);

/* Returns the hint "requester", or NULL. */
const char *record_requester(const record *facts);

/* Returns the user of an object, the requester, or the peer's address; "" if none is known. */
const char *record_sender(const record *facts);

/*
 * Returns the next annotation, from '*index' on, that says why an entry with "enforce": "audit"
 * would have refused; NULL past the end.
 */
const limen_annotation *record_next_refusal(const limen_decision *decision, size_t *index);

/* May the documents contain a Secret?  Secrets must be neither logged nor kept. */
bool record_is_confidential(const record *facts);

#endif
