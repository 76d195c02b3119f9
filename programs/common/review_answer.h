/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_answer.h - writes a decision as the answer to its AdmissionReview (admission.k8s.io/v1
 * AdmissionResponse; v1beta1 has the same fields).
 */
#ifndef LIMEN_PROGRAM_REVIEW_ANSWER_H
#define LIMEN_PROGRAM_REVIEW_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <limen/request.h>

/* Returns true if a review of this apiVersion (NULL: none) can be answered. */
bool review_answer_knows(const char *api);

/*
 * Appends the answer as one line of JSON; 'req' was made of the review.  If 'message' is not
 * NULL, it replaces the violation messages, and causes and warnings are left out.  Audit
 * annotations are always written: they go to the log of the API server, not to the client.
 */
void review_answer_write(GString *out, const limen_decision *decision, const limen_request *req,
                         const char *api, const char *message);

#endif
