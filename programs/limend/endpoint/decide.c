/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.c - POST /v1/decide: answers one question with a decision object.
 */
#include "endpoint.h"

/* Sets the HTTP status to the decision's code, and Retry-After to its wait, rounded up. */
static void
show_verdict(const limen_decision *decision, http_response *response)
{
	limen_duration wait = 0;

	response->status = limen_decision_code(decision);
	if (limen_decision_admitted(decision) || !limen_decision_retry_after(decision, &wait))
		return;
	response->retry_after = wait / LIMEN_SECOND + (wait % LIMEN_SECOND > 0);
	if (response->retry_after < 1)
		response->retry_after = 1;
}

bool
answer_decide(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "status", "timeout", NULL };
	limen_decision *decision = NULL;
	bool verdict = false;
	question asked;
	bool good;

	if (!arguments_check(&request->arguments, known, why) ||
	    !arguments_verdict(&request->arguments, &verdict, why))
		return false;
	good = deciding_read(request, &asked, why);
	if (good)
		decision = deciding_run(&shared->decider, request, &asked, why);
	good = decision != NULL && deciding_append(response->body, &asked, decision,
	                                           shared->decider.short_messages, why);
	if (good)
		g_string_append_c(response->body, '\n');
	if (good && verdict)
		show_verdict(decision, response);
	limen_decision_free(decision);
	question_clear(&asked);
	return good;
}
