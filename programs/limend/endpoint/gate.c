/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.c - /v1/gate/PROFILE: decides requests of the clients of a proxy, which forwards their heads.
 */
#include "gate/gate.h"

#include <limen/host.h>

#include "base/log.h"
#include "endpoint.h"
#include "gate/description.h"

/* How often a request is described again because the policy has changed meanwhile. */
#define TRIES 3

/* A proxy may drop the body of a refusal, so the log says once why all its clients get it. */
static bool
check_peer(service *shared, const http_request *request, fault *why)
{
	if (http_trusts(shared->gate_from, &request->peer))
		return true;
	if (!atomic_exchange(&shared->gate_refused, true))
		log_print(LIMEN_LOG_WARNING, NULL,
		          "the gate refused %s, which is not in --gate-from; further peers are "
		          "refused without a line", request->peer.address);
	return fault_set(why, 403, "The gate answers only proxies of --gate-from, verified client "
	                           "certificates and unix sockets");
}

/* Describes the request for the policy in force and decides it. */
static limen_decision *
decide(const decider *self, const http_request *request, const client_request *from_client,
       const limen_http_needs *needs, question *asked, fault *why)
{
	*asked = (question){ .options = { .size = sizeof(asked->options),
		                          .prioritize = LIMEN_SWITCH_ON } };
	if (!description_read(from_client, &request->fields, needs, &asked->request, why))
		return NULL;
	deciding_prepare(self, asked);
	return deciding_try(self, request, asked, why);
}

/* A policy that reads more of requests may have come into force: then it is asked again. */
static limen_decision *
decide_anew(const decider *self, const http_request *request, const client_request *from_client,
            question *asked, fault *why)
{
	limen_decision *decision = NULL;

	for (int i = 0; i < TRIES; i++) {
		const limen_http_needs *needs = limen_engine_http_needs(self->engine);

		limen_decision_free(decision);
		question_clear(asked);
		decision = decide(self, request, from_client, needs, asked, why);
		if (limen_decision_code(decision) != 500 ||
		    limen_engine_http_needs(self->engine) == needs)
			break;
	}
	return decision;
}

bool
answer_gate(service *shared, const http_request *request, http_response *response, fault *why)
{
	const decider *self = &shared->decider;
	const limen_http_needs *needs;
	limen_decision *decision = NULL;
	int64_t began = deciding_began(request);
	client_request from_client;
	question asked = { .request = NULL };

	if (deciding_resumes(request, &asked))
		decision = deciding_try(self, request, &asked, why);
	else if (check_peer(shared, request, why) &&
	         profile_read(profile_of(request->path), request, shared->proxies, &from_client, why))
		decision = decide_anew(self, request, &from_client, &asked, why);
	if (decision != NULL) {
		deciding_record(self, request, &asked, decision, limen_host_monotonic() - began);
		needs = limen_engine_http_needs(self->engine);
		gate_answer(request, &asked, decision, needs == NULL ? LIMEN_HTTP_FIELDS_DRAFT : needs->fields,
		            self->short_messages, response);
	}
	limen_decision_free(decision);
	question_clear(&asked);
	return decision != NULL;
}
