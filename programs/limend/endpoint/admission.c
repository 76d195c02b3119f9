/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admission.c - POST /admission/mutate and /admission/validate, what a Kubernetes
 * API server asks.  Each is one half of the admission chain, and only the second
 * charges rates: the API server may call a mutating webhook twice for one request.
 *
 * A decision that could not be made is an answer too, a refusal of code 500.  Only
 * where there is no decision at all is the call a failure, which the API server
 * treats as the failurePolicy of the webhook says.
 */
#include <limen/host.h>

#include "../common/review.h"
#include "../common/review_answer.h"
#include "audit/record.h"
#include "endpoint.h"
#include "http/remaining.h"
#include "question/short_answer.h"

static limen_request *
read_review(const http_request *request, const char **api, http_response *response)
{
	const review_peer peer = { request->peer.address, request->peer.local };
	limen_diag *diag = limen_diag_new();
	const limen_problem *problem;
	limen_request *req = NULL;
	int result = LIMEN_ENOMEM;

	if (diag != NULL)
		result = review_parse(request->body, request->length, &peer, api, diag, &req);
	problem = diag == NULL ? NULL : limen_diag_get(diag, 0);
	if (result == LIMEN_EINVAL && problem != NULL)
		http_fail(response, 400, "%s", problem->text);
	else if (result != LIMEN_OK)
		http_fail(response, 503, "%s", limen_result_text(LIMEN_ENOMEM));
	limen_diag_free(diag);
	return req;
}

/* What the log is to hold of it is looked at, though nobody is told. */
static limen_decide_options
choose_options(const service *shared, limen_phase phase)
{
	return (limen_decide_options){ .size = sizeof(limen_decide_options),
		                       .phase = phase,
		                       .trace = shared->short_messages &&
		                                shared->decisions != NULL };
}

/* Decides and keeps account; NULL after an answer that says why not. */
static limen_decision *
decide(service *shared, const endpoint *asked, limen_phase phase, const limen_request *req,
       const http_request *request, http_response *response)
{
	const limen_decide_options options = choose_options(shared, phase);
	int64_t start = limen_host_monotonic();
	limen_decision *decision = NULL;
	int result = limen_engine_decide(shared->engine, req, &options, &decision);
	record made = { .endpoint = asked->path, .request = req, .peer = &request->peer };

	if (result != LIMEN_OK) {
		http_fail(response, 503, "%s", limen_result_text(result));
		return NULL;
	}
	made.decision = decision;
	made.nanoseconds = limen_host_monotonic() - start;
	record_decision(shared, &made);
	return decision;
}

static void
answer_review(service *shared, const endpoint *asked, limen_phase phase,
              const http_request *request, http_response *response)
{
	const char *api = NULL;
	limen_decision *decision;
	limen_request *req;
	bool expired;

	if (!http_is_json(request)) {
		http_fail(response, 415, "An AdmissionReview is sent as application/json");
		return;
	}
	req = read_review(request, &api, response);
	if (req == NULL)
		return;
	limen_request_set_timeout(req, http_remaining(shared->timeout, request, &expired));
	if (expired) {
		http_fail(response, 503, "The time for the answer was over before it was made");
		limen_request_free(req);
		return;
	}
	decision = decide(shared, asked, phase, req, request, response);
	if (decision != NULL)
		review_answer_write(response->body, decision, req, api,
		                    shared->short_messages ? short_answer_reason(decision) : NULL);
	limen_decision_free(decision);
	limen_request_free(req);
}

static void
mutate(service *shared, const http_request *request, http_response *response)
{
	answer_review(shared, &mutate_endpoint, LIMEN_PHASE_MUTATE, request, response);
}

static void
validate(service *shared, const http_request *request, http_response *response)
{
	answer_review(shared, &validate_endpoint, LIMEN_PHASE_VALIDATE, request, response);
}

const endpoint mutate_endpoint = {
	.path = "/admission/mutate",
	.methods = HTTP_POST,
	.decides = true,
	.answer = mutate,
};

const endpoint validate_endpoint = {
	.path = "/admission/validate",
	.methods = HTTP_POST,
	.decides = true,
	.answer = validate,
};
