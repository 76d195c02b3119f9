/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.c - /v1/gate/PROFILE: decides requests of the clients of a proxy, which forwards their heads.
 */
#include "gate/gate.h"

#include <limen/host.h>

#include "base/log.h"
#include "endpoint.h"
#include "gate/description.h"

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

/* Reads the question in the header of 'request'; it is described under the policy that decides. */
static bool
read_question(service *shared, const http_request *request, description *out, fault *why)
{
	deciding *item = out->item;

	if (!check_peer(shared, request, why) ||
	    !profile_read(profile_of(request->path), request, shared->proxies, &out->from_client, why))
		return false;
	item->options = (limen_decide_options){ .size = sizeof(item->options),
		                                 .prioritize = LIMEN_SWITCH_ON,
		                                 .describe = description_fill,
		                                 .describe_data = out };
	item->request = limen_request_new(LIMEN_SUBJECT_HTTP);
	if (item->request == NULL)
		return fault_memory(why);
	deciding_prepare(&shared->decider, item);
	return true;
}

bool
answer_gate(service *shared, const http_request *request, http_response *response, fault *why)
{
	const decider *self = &shared->decider;
	limen_decision *decision = NULL;
	deciding item = { .request = NULL };
	description facts = { .request = request, .item = &item };

	if (deciding_resumes(request, &item) || read_question(shared, request, &facts, why))
		decision = deciding_try(self, request, &item, why);
	if (decision != NULL) {
		deciding_record(self, request, &item, decision, limen_host_monotonic() - request->arrived);
		gate_answer(request, &item, decision, self->short_messages, response);
	}
	limen_decision_free(decision);
	deciding_clear(&item);
	return decision != NULL;
}
