/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deciding.h - reads one question, runs the engine on it within the timeout, records the decision
 * and writes it.
 */
#ifndef LIMEND_DECIDING_H
#define LIMEND_DECIDING_H

#include "question.h"
#include "service/service.h"

/* Returns the sender of 'request', and whether its hints are trusted ('trusted': networks). */
question_sender deciding_sender(const limen_cidr_set *trusted, const http_request *request);

/*
 * Reads the question in the body of 'request'; members that need a trusted sender are refused
 * from others.  Returns false with a fault.  Clear 'out' in any case.
 */
bool deciding_read(const service *shared, const http_request *request, question *out,
                   fault *why);

/*
 * Decides 'asked', which came with 'request', and records the decision.  Returns it, to
 * limen_decision_free(), or NULL with a fault.  With --messages=short and a decision log, it
 * collects diagnostics and trace for the log and sets an id in 'asked' if there is none.
 */
limen_decision *deciding_run(service *shared, const http_request *request, question *asked,
                             fault *why);

/* Decides 'asked' without recording the decision. */
limen_decision *deciding_try(const service *shared, const http_request *request, question *asked,
                             fault *why);

/*
 * Appends the decision object, which begins with the question's "id" if it has one.  'brief'
 * selects the format of short_answer.h.  Returns false with a fault and appends nothing on
 * failure.
 */
bool deciding_append(GString *out, const question *asked, const limen_decision *decision,
                     bool brief, fault *why);

#endif
