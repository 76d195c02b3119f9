/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.c - POST /v1/decide: answers one question with a decision object.
 */
#include "../common/auto.h"
#include "endpoint.h"

bool
answer_decide(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "status", "timeout", NULL };
	g_autoptr(limen_decision) decision = NULL;
	g_auto(question) asked = { .request = NULL };
	bool verdict = false;

	if (!arguments_check(&request->arguments, known, why) ||
	    !arguments_verdict(&request->arguments, &verdict, why))
		return false;
	if (deciding_read(request, &asked, why))
		decision = deciding_run(&shared->decider, request, &asked, why);
	if (decision == NULL || !deciding_append(response->body, &asked, decision,
	                                         shared->decider.short_messages, why))
		return false;
	g_string_append_c(response->body, '\n');
	if (verdict)
		deciding_show_verdict(decision, response);
	return true;
}
