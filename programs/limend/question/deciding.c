/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deciding.c - reads a question from a JSON body, runs the engine on it with a timeout, records the
 * decision, and prints it.  With --messages=short, it requests diagnostics and a trace only for the
 * decision log.
 */
#include "deciding.h"

#include <limen/host.h>
#include <stdlib.h>
#include <string.h>

#include "../common/auto.h"
#include "base/memory.h"
#include "http/remaining.h"

bool
deciding_read(const http_request *request, deciding *out, fault *why)
{
	g_autoptr(limen_documents) body = NULL;

	if (deciding_resumes(request, out))
		return true;
	*out = (deciding){ .request = NULL };
	body = question_open("The body", request->body, request->length, why);
	return body != NULL && question_is_no_review(limen_documents_get(body, 0), why) &&
	       question_read(&request->peer, limen_documents_get(body, 0), out, why);
}

bool
deciding_waits(const http_request *request)
{
	return request->deferral != NULL && request->deferral->pending != NULL;
}

int64_t
deciding_began(const http_request *request)
{
	deferral *later = request->deferral;
	int64_t began = deciding_waits(request) ? later->began : limen_host_monotonic();

	if (later != NULL)
		later->began = began;
	return began;
}

bool
deciding_resumes(const http_request *request, deciding *out)
{
	if (!deciding_waits(request))
		return false;
	*out = request->deferral->item;
	request->deferral->item = (deciding){ .request = NULL };
	return true;
}

/* Begins; a question that waits goes to the deferral. */
static int
begin(const decider *self, deferral *later, deciding *item, limen_decision **out)
{
	int result = limen_engine_begin(self->engine, item->request, &item->options, later->ended,
	                                later->data, &later->pending, later->apart ? NULL : out);

	if (result != LIMEN_OK || later->pending == NULL)
		return result;
	later->item = *item;
	*item = (deciding){ .request = NULL };
	return LIMEN_OK;
}

int
deciding_start(const decider *self, const http_request *request, limen_duration left,
               deciding *item, limen_decision **out)
{
	deferral *later = request->deferral;
	limen_pending *pending = later == NULL ? NULL : later->pending;

	*out = NULL;
	if (pending != NULL) {
		later->pending = NULL;
		return limen_pending_decide(pending, out);
	}
	limen_request_set_timeout(item->request,
	                          http_is_hurried(self->timeout, request) ? left : 0);
	item->options.timeout = self->timeout;
	item->options.since = request->arrived;
	if (later != NULL)
		return begin(self, later, item, out);
	return limen_engine_decide(self->engine, item->request, &item->options, out);
}

limen_decision *
deciding_try(const decider *self, const http_request *request, deciding *item, fault *why)
{
	limen_decision *decision = NULL;
	bool expired;
	limen_duration left = http_remaining(self->timeout, request, &expired);
	int result;

	if (expired && !deciding_waits(request)) {
		fault_set(why, 503, "The decision timed out");
		return NULL;
	}
	result = deciding_start(self, request, left, item, &decision);
	if (result != LIMEN_OK)
		fault_set(why, result == LIMEN_ENOPOLICY ? 503 : 500, "No decision: %s",
		          limen_result_text(result));
	return decision;
}

void
deciding_record(const decider *self, const http_request *request, const deciding *item,
                const limen_decision *decision, int64_t nanoseconds)
{
	const record facts = {
		.endpoint = request->path,
		.row = request->row,
		.request = item->request,
		.decision = decision,
		.nanoseconds = nanoseconds,
		.peer = &request->peer,
		.rewrite = item->options.rewrite,
		.prioritize = item->options.prioritize,
	};

	metrics_count_decision(self->metrics, &facts);
	decision_log_add(self->decisions, &facts);
	recent_add(self->recent, &facts);
	history_count(self->history, record_outcome_of(decision), nanoseconds);
}

void
deciding_prepare(const decider *self, deciding *item)
{
	bool logged = self->decisions != NULL;
	g_autofree char *random = NULL;
	g_autofree char *text = NULL;
	g_autoptr(limen_documents) id = NULL;

	if (!self->short_messages)
		return;
	/* Diagnostics and trace go to the decision log and not to the sender. */
	item->options.diagnostics = logged;
	item->options.trace = logged;
	item->options.origins = false;
	if (!logged || limen_value_exists(limen_request_id(item->request)))
		return;
	/* A random id; without memory there is none. */
	random = g_uuid_string_random();
	text = g_strconcat("\"", random, "\"", NULL);
	if (limen_documents_parse("id.json", text, strlen(text), 0, &id, NULL) == LIMEN_OK)
		limen_request_set_id(item->request, limen_documents_get(id, 0));
}

limen_decision *
deciding_run(const decider *self, const http_request *request, deciding *item, fault *why)
{
	int64_t before = deciding_began(request);
	limen_decision *decision;

	deciding_prepare(self, item);
	decision = deciding_try(self, request, item, why);
	if (decision != NULL)
		deciding_record(self, request, item, decision, limen_host_monotonic() - before);
	return decision;
}

bool
deciding_append(GString *out, const deciding *item, const limen_decision *decision, bool brief,
                fault *why)
{
	size_t length = 0;
	g_auto(heap_text) text = limen_request_answer(item->request, decision,
	                                              brief ? LIMEN_JSON_BRIEF : 0, &length);

	if (text == NULL || !memory_reserve(out, length))
		return fault_memory(why);
	g_string_append_len(out, text, (gssize)length);
	return true;
}

void
deciding_show_verdict(const limen_decision *decision, http_response *response)
{
	limen_duration wait = 0;

	response->status = limen_decision_code(decision);
	if (limen_decision_admitted(decision) || !limen_decision_retry_after(decision, &wait))
		return;
	if (response->status == 500)
		response->status = 503;
	response->retry_after = wait / LIMEN_SECOND + (wait % LIMEN_SECOND > 0);
	if (response->retry_after < 1)
		response->retry_after = 1;
}
