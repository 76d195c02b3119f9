/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review_answer.h - a decision as the answer to the AdmissionReview it is about
 * (admission.k8s.io/v1 AdmissionResponse; v1beta1 has the same fields).
 */
#ifndef LIMEN_PROGRAM_REVIEW_ANSWER_H
#define LIMEN_PROGRAM_REVIEW_ANSWER_H

#include <glib.h>
#include <limen/decision.h>
#include <limen/request.h>

/* Can a review of this apiVersion (NULL: none) be answered? */
bool review_answer_knows(const char *api);

/*
 * Appends the answer, one line of JSON; 'req' is what was made of the review.  Those who
 * are told nothing but 'message' (NULL: everything) get no causes and no warnings;
 * audit annotations are for the log of the API server, and not for them.
 */
void review_answer_write(GString *out, const limen_decision *decision, const limen_request *req,
                         const char *api, const char *message);

#endif
