/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admission.c - POST /admission/mutate, /admission/validate and /admission/workloads, the webhooks for
 * a Kubernetes API server.  The first two run one half of the admission chain each, and only the
 * second charges rates: the API server may call a mutating webhook twice for one request.  The third
 * tells what would become of the pods of a workload.
 *
 * An error of a module is a decision too, a refusal with code 500.  Without any decision the call
 * fails, and the API server applies the failurePolicy of the webhook.
 */
#include <limen/host.h>

#include "../common/auto.h"
#include "endpoint.h"
#include "http/remaining.h"
#include "question/deciding.h"

static limen_request *
read_review(const http_request *request, fault *why)
{
	const limen_question_options options = { .size = sizeof(options),
		                                 .requester = request->peer.address,
		                                 .server = request->peer.local };
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(limen_documents) parsed = NULL;
	limen_request *req = NULL;
	int result = limen_documents_parse("review.json", request->body, request->length, 0,
	                                   &parsed, diag);
	const limen_problem *problem;

	if (result == LIMEN_OK)
		result = limen_review_read(limen_documents_get(parsed, 0), &options, &req, diag);
	problem = limen_diag_get(diag, 0);
	if (result == LIMEN_EINVAL && problem != NULL)
		fault_set(why, 400, "%s", problem->text);
	else if (result != LIMEN_OK)
		fault_set(why, 503, "%s", limen_result_text(LIMEN_ENOMEM));
	return req;
}

/* Reads the review, unless it has waited for its decision. */
static bool
begin(const decider *self, const http_request *request, deciding *out, fault *why)
{
	bool expired;

	if (deciding_resumes(request, out))
		return true;
	*out = (deciding){
		.request = read_review(request, why),
		.options = { .size = sizeof(out->options),
		             .phase = endpoint_of(request)->phase,
		             /* With --messages=short the trace is for the decision log alone. */
		             .trace = self->short_messages && self->decisions != NULL },
	};
	if (out->request == NULL)
		return false;
	http_remaining(self->timeout, request, &expired);
	return !expired || fault_set(why, 503, "The time ran out before the answer was ready");
}

/* Decides, records the decision and appends the answer. */
static bool
decide(const decider *self, deciding *item, const http_request *request, GString *out, fault *why)
{
	int64_t start = deciding_began(request);
	g_autoptr(limen_decision) decision = NULL;
	bool expired;
	limen_duration left = http_remaining(self->timeout, request, &expired);
	int result = deciding_start(self, request, left, item, &decision);

	if (result != LIMEN_OK)
		return fault_set(why, 503, "%s", limen_result_text(result));
	if (decision == NULL)
		return false;
	deciding_record(self, request, item, decision, limen_host_monotonic() - start);
	return deciding_append(out, item, decision, self->short_messages, why);
}

bool
answer_review(service *shared, const http_request *request, http_response *response, fault *why)
{
	const decider *self = &shared->decider;
	g_auto(deciding) item = { .request = NULL };

	if (!begin(self, request, &item, why) ||
	    !decide(self, &item, request, response->body, why))
		return false;
	g_string_append_c(response->body, '\n');
	return true;
}
