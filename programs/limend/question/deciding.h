/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deciding.h - reads one question, asks the engine within the time there is, keeps
 * account of it, and writes what it said.
 */
#ifndef LIMEND_DECIDING_H
#define LIMEND_DECIDING_H

#include "question.h"
#include "service/service.h"

/* Who sent 'request', and whether the daemon, which trusts these, believes its hints. */
question_sender deciding_sender(const limen_cidr_set *trusted, const http_request *request);

/*
 * Reads the question that 'request' is, as far as its sender is trusted.  False with a
 * fault; clear it in any case.
 */
bool deciding_read(const service *shared, const http_request *request, question *out,
                   fault *why);

/*
 * Decides 'asked', which came by 'request'.  Returns the decision, for
 * limen_decision_free(), or NULL with a fault.  With --messages=short everything is
 * looked at that the decision log is to hold, and 'asked' has an id to find it there.
 */
limen_decision *deciding_run(service *shared, const http_request *request, question *asked,
                             fault *why);

/* Decides likewise, and keeps no account of it. */
limen_decision *deciding_try(const service *shared, const http_request *request, question *asked,
                             fault *why);

/*
 * Appends the decision object, which begins with the question's "id" if it has one; if it
 * is to be 'brief', as short_answer.h has it.  False with a fault, and nothing appended.
 */
bool deciding_append(GString *out, const question *asked, const limen_decision *decision,
                     bool brief, fault *why);

#endif
