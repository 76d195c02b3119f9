/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.c - POST /v1/decide: answers one question with a decision object.
 */
#include "endpoint.h"

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
		deciding_show_verdict(decision, response);
	limen_decision_free(decision);
	question_clear(&asked);
	return good;
}
