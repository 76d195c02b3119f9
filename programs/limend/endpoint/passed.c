/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passed.c - GET and POST /v1/passed: serves the limit "url-fetch" of pScheduler (limits.rst,
 * "url-fetch").
 *
 * If the decision is an error, the status is 500 or 503, and the fail-result of the limit applies as if the
 * server were unreachable.
 */
#include <string.h>

#include "../common/auto.h"
#include "../common/json_out.h"
#include "endpoint.h"
#include "http/arguments.h"

/* Most fields of a form; more than any endpoint has. */
#define FIELDS_MAX 32

/* Allowed arguments: of the query if the question is the body, of a query alone, of a form. */
static const char *const about_answer[] = { "status", "timeout", NULL };
static const char *const fields_of_query[] = { "task",    "requester", "server",  "hints",
	                                       "rewrite", "status",    "timeout", NULL };
static const char *const fields_of_body[] = { "task", "requester", "server", "hints", "rewrite",
	                                      NULL };

static bool
read_form(const http_request *request, deciding *out, fault *why)
{
	g_autofree char *text = g_try_malloc(request->length + 1);
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(http_pair));
	arguments fields;

	if (text == NULL)
		return fault_memory(why);
	memcpy(text, request->body, request->length + 1);
	if (!query_read(text, request->length, FIELDS_MAX, pairs, why))
		return false;
	fields = (arguments){ (const http_pair *)(void *)pairs->data, pairs->len };
	return arguments_check(&fields, fields_of_body, why) &&
	       question_read_fields(&request->peer, &fields, out, why);
}

static bool
read_question(const http_request *request, deciding *out, fault *why)
{
	if (deciding_resumes(request, out))
		return true;
	*out = (deciding){ .request = NULL };
	if (request->method == HTTP_GET)
		return arguments_check(&request->arguments, fields_of_query, why) &&
		       question_read_fields(&request->peer, &request->arguments, out, why);
	if (!arguments_check(&request->arguments, about_answer, why))
		return false;
	if (http_type_of(request) == HTTP_FORM)
		return read_form(request, out, why);
	return deciding_read(request, out, why) &&
	       (limen_request_subject(out->request) == LIMEN_SUBJECT_TASK ||
	        fault_set(why, 400, "This path is for tasks"));
}

/* Inserts the id of the decision in the log as the first member, unless it is none. */
static void
insert_id(GString *out, limen_value id)
{
	g_autoptr(GString) member = g_string_new("{");

	if (!limen_value_exists(id))
		return;
	json_write(member, "id:v", id);
	g_string_append_c(member, ',');
	g_string_erase(out, 0, 1);
	g_string_prepend(out, member->str);
}

/* Writes the answer.  With 'verdict' a refusal is 404: "success-only" takes only that for a no. */
static void
answer_decision(const limen_decision *decision, const char *reason, limen_value id, bool verdict,
                http_response *response)
{
	/*
	 * The caller runs the task unchanged, so a task that would need a rewrite has not
	 * passed.
	 */
	bool changed = limen_value_count(limen_decision_patch(decision)) > 0;
	bool passed = limen_decision_admitted(decision) && !changed;

	if (limen_decision_code(decision) == 500) {
		deciding_show_verdict(decision, response);
		http_fail(response, response->status, reason);
		insert_id(response->body, id);
		return;
	}
	if (changed && limen_decision_admitted(decision))
		reason = "the task would pass only after it was rewritten";
	json_write(response->body, "{passed:b message:s}", passed, reason);
	g_string_append_c(response->body, '\n');
	insert_id(response->body, id);
	if (verdict && !passed) {
		deciding_show_verdict(decision, response);
		response->status = 404;
	}
}

bool
answer_passed(service *shared, const http_request *request, http_response *response, fault *why)
{
	bool brief = shared->decider.short_messages;
	g_autoptr(limen_decision) decision = NULL;
	g_auto(deciding) item = { .request = NULL };
	bool verdict = false;

	if (!read_question(request, &item, why) ||
	    !arguments_verdict(&request->arguments, &verdict, why))
		return false;
	item.options.prioritize = LIMEN_SWITCH_OFF;
	decision = deciding_run(&shared->decider, request, &item, why);
	if (decision != NULL)
		answer_decision(decision,
		                brief ? limen_decision_summary(decision)
		                      : limen_decision_reason(decision),
		                brief ? limen_request_id(item.request) : limen_value_none(),
		                verdict, response);
	return decision != NULL;
}
