/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deciding.h - reads one question, runs the engine on it within the timeout, records the decision
 * and writes it.
 */
#ifndef LIMEND_DECIDING_H
#define LIMEND_DECIDING_H

#include "question.h"
#include "service/service.h"

/*
 * A decision that may wait without a thread.  The endpoint is called a second time once
 * 'ended' was called: any thread, also before the endpoint has returned.
 */
typedef struct deferral {
	void (*ended)(void *data);
	void *data;
	bool apart; /* the decision waits for the second call, as modules may hold its thread */
	limen_pending *pending; /* what waits; NULL: nothing does */
	deciding item;          /* while it waits */
	int64_t began;          /* limen_host_monotonic() */
} deferral;

/* Does the decision wait?  Then the endpoint returns false with a fault of status 0. */
bool deciding_waits(const http_request *request);

/* When the decision began: now, or in the first call; to be called in both. */
int64_t deciding_began(const http_request *request);

/* In the second call: moves the question that waited to 'out'.  Otherwise returns false. */
bool deciding_resumes(const http_request *request, deciding *out);

/*
 * Runs the engine within the timeouts of daemon and client, of which 'left' is left
 * (http_remaining()).  Returns what the engine returned;
 * LIMEN_OK with NULL in '*out' if the decision waits: the question belongs to the deferral then.
 */
int deciding_start(const decider *self, const http_request *request, limen_duration left,
                   deciding *item, limen_decision **out);

/*
 * Reads the question in the body of 'request'.  Returns false with a fault.  Clear 'out' in any
 * case.
 */
bool deciding_read(const http_request *request, deciding *out, fault *why);

/*
 * Decides 'item', which came with 'request', and records the decision.  Returns it, to
 * limen_decision_free(), or NULL with a fault.  Prepares the question first.
 */
limen_decision *deciding_run(const decider *self, const http_request *request, deciding *item,
                             fault *why);

/*
 * With --messages=short and a decision log, asks for diagnostics and a trace for the log, and sets an
 * id in 'item' if there is none.
 */
void deciding_prepare(const decider *self, deciding *item);

/* Decides 'item' without recording the decision. */
limen_decision *deciding_try(const decider *self, const http_request *request, deciding *item,
                             fault *why);

/* Counts, logs and keeps the decision of 'item'.  From any thread; never waits for a disk. */
void deciding_record(const decider *self, const http_request *request, const deciding *item,
                     const limen_decision *decision, int64_t nanoseconds);

/*
 * Appends the answer, 'brief' without what could tell about the policy.  Returns false with a
 * fault and appends nothing on failure.
 */
bool deciding_append(GString *out, const deciding *item, const limen_decision *decision,
                     bool brief, fault *why);

/*
 * Sets the HTTP status to the code of 'decision', and Retry-After to its wait, rounded up.  An
 * error with a wait, such as that of a store that is away, is 503.
 */
void deciding_show_verdict(const limen_decision *decision, http_response *response);

#endif
