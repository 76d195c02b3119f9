/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deciding.c - reads a question from a JSON body, runs the engine on it with a timeout, records the
 * decision, and prints it.  With --messages=short, it requests diagnostics and a trace only for the
 * decision log.
 */
#include "deciding.h"

#include <stdio.h>
#include <stdlib.h>

#include "../common/print.h"
#include "http/remaining.h"
#include "short_answer.h"

bool
deciding_read(const http_request *request, question *out, fault *why)
{
	limen_documents *body;
	bool good;

	*out = (question){ .request = NULL };
	/* Pages of other origins cannot send this type without a preflight request (CORS). */
	if (!http_is_type(request, "application/json"))
		return fault_set(why, 415, "The content type must be application/json");
	body = question_open("The body", request->body, request->length, why);
	good = body != NULL &&
	       question_read(&request->peer, limen_documents_get(body, 0), out, why);
	limen_documents_free(body);
	return good;
}

limen_decision *
deciding_try(const decider *self, const http_request *request, question *asked, fault *why)
{
	bool expired = false;
	limen_duration left = http_remaining(self->timeout, request, &expired);
	limen_decision *decision = NULL;
	int result;

	if (expired) {
		fault_set(why, 503, "The time for this decision was up");
		return NULL;
	}
	limen_request_set_timeout(asked->request, left);
	result = limen_engine_decide(self->engine, asked->request, &asked->options, &decision);
	if (result == LIMEN_OK)
		return decision;
	fault_set(why, result == LIMEN_ENOPOLICY ? 503 : 500, "No decision: %s",
	          limen_result_text(result));
	return NULL;
}

void
deciding_record(const decider *self, const http_request *request, const question *asked,
                const limen_decision *decision, int64_t nanoseconds)
{
	const record made = {
		.endpoint = request->path,
		.request = asked->request,
		.decision = decision,
		.nanoseconds = nanoseconds,
		.peer = &request->peer,
		.id = asked->id,
		.rewrite = asked->options.rewrite,
		.prioritize = asked->options.prioritize,
	};

	metrics_count_decision(self->metrics, &made);
	decision_log_add(self->decisions, &made);
}

/* Returns a random id as a JSON string, to free(), or NULL if memory is short. */
static char *
make_id(void)
{
	char *random = g_uuid_string_random();
	char *id = NULL;

	if (asprintf(&id, "\"%s\"", random) < 0)
		id = NULL;
	g_free(random);
	return id;
}

/* With --messages=short, diagnostics and trace go to the decision log and not to the sender. */
static void
keep_back(bool logged, question *asked)
{
	asked->options.diagnostics = logged;
	asked->options.trace = logged;
	asked->options.origins = false;
	if (asked->id == NULL && logged)
		asked->id = make_id();
}

limen_decision *
deciding_run(const decider *self, const http_request *request, question *asked, fault *why)
{
	int64_t before = limen_host_monotonic();
	limen_decision *decision;

	if (self->short_messages)
		keep_back(self->decisions != NULL, asked);
	decision = deciding_try(self, request, asked, why);
	if (decision != NULL)
		deciding_record(self, request, asked, decision, limen_host_monotonic() - before);
	return decision;
}

bool
deciding_append(GString *out, const question *asked, const limen_decision *decision, bool brief,
                fault *why)
{
	size_t length = 0;
	char *text;

	if (brief)
		return short_answer_append(out, asked->id, decision) || fault_memory(why);
	text = limen_decision_to_json(decision, 0, &length);
	if (text == NULL)
		return fault_memory(why);
	g_string_append_c(out, '{');
	if (asked->id != NULL)
		print_append(out, "\"id\":%s,", asked->id);
	/* The decision object is never empty, so its first member follows. */
	g_string_append_len(out, text + 1, (gssize)length - 1);
	free(text);
	return true;
}
