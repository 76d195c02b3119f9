/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admission.c - POST /admission/mutate and /admission/validate, the webhooks for a Kubernetes API
 * server.  Each runs one half of the admission chain, and only the second charges rates: the API
 * server may call a mutating webhook twice for one request.
 *
 * An error of a module is a decision too, a refusal with code 500.  Without any decision the call
 * fails, and the API server applies the failurePolicy of the webhook.
 */
#include <limen/host.h>
#include <string.h>

#include "../common/review.h"
#include "../common/review_answer.h"
#include "endpoint.h"
#include "http/remaining.h"
#include "question/deciding.h"
#include "question/short_answer.h"

static limen_request *
read_review(const http_request *request, const char **api, fault *why)
{
	const review_peer peer = { request->peer.address, request->peer.local };
	limen_diag *diag = limen_diag_new();
	limen_request *req = NULL;
	int result = review_parse(request->body, request->length, &peer, api, diag, &req);
	const limen_problem *problem = limen_diag_get(diag, 0);

	if (result == LIMEN_EINVAL && problem != NULL)
		fault_set(why, 400, "%s", problem->text);
	else if (result != LIMEN_OK)
		fault_set(why, 503, "%s", limen_result_text(LIMEN_ENOMEM));
	limen_diag_free(diag);
	return req;
}

/* Decides and records the decision; NULL with a fault. */
static limen_decision *
decide(const decider *self, limen_request *req, const http_request *request, fault *why)
{
	const question asked = {
		.request = req,
		.options = { .size = sizeof(asked.options),
		             .phase = strcmp(request->path, "/admission/mutate") == 0
		                              ? LIMEN_PHASE_MUTATE
		                              : LIMEN_PHASE_VALIDATE,
		             /* With --messages=short the trace is for the decision log alone. */
		             .trace = self->short_messages && self->decisions != NULL },
	};
	int64_t start = limen_host_monotonic();
	limen_decision *decision = NULL;
	int result = limen_engine_decide(self->engine, req, &asked.options, &decision);

	if (result != LIMEN_OK)
		fault_set(why, 503, "%s", limen_result_text(result));
	else
		deciding_record(self, request, &asked, decision, limen_host_monotonic() - start);
	return decision;
}

bool
answer_review(service *shared, const http_request *request, http_response *response, fault *why)
{
	const decider *self = &shared->decider;
	const char *api = NULL;
	limen_decision *decision = NULL;
	limen_request *req;
	bool expired;

	if (!http_is_type(request, "application/json"))
		return fault_set(why, 415, "An AdmissionReview is sent as application/json");
	req = read_review(request, &api, why);
	if (req == NULL)
		return false;
	limen_request_set_timeout(req, http_remaining(self->timeout, request, &expired));
	if (expired)
		fault_set(why, 503, "The time ran out before the answer was ready");
	else
		decision = decide(self, req, request, why);
	if (decision != NULL)
		review_answer_write(response->body, decision, req, api,
		                    self->short_messages ? short_answer_reason(decision) : NULL);
	limen_decision_free(decision);
	limen_request_free(req);
	return decision != NULL;
}
