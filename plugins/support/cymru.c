/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cymru.c - queries a Team Cymru zone about the requester's address.  A missing name is no
 * match.  Without a definitive answer the option "fail-result" decides (pscheduler-limits), or
 * the verdict is an error if the deadline of the decision has passed.
 */
#include "cymru.h"

int
cymru_open(cymru *self, limen_opening *opening, limen_diag *diag)
{
	return dns_open(self->server, limen_opening_option(opening, "server"), diag,
	                &self->resolver);
}

void
cymru_close(cymru *self)
{
	dns_close(self->resolver);
}

/*
 * "When a definitive answer cannot be found" (pscheduler-limits): everything but
 * an answer and the word that there is no such name.  That the whole decision is
 * out of time is no matter of the name server.
 */
static limen_verdict
stand_in(const cymru *self, const limen_request *req, limen_reply *reply,
         const dns_answer *answer)
{
	const char *why = answer->outcome == DNS_FAILED ? answer->why
	                                                : "the name has no record of that type";

	if (limen_request_time_left(req) == 0) {
		limen_reply_reason(reply, "the deadline of the decision has passed");
		return LIMEN_ERROR;
	}
	limen_reply_reason(reply, "%s; fail-result is %s", why,
	                   self->fail_result ? "true" : "false");
	return self->fail_result ? LIMEN_PASS : LIMEN_FAIL;
}

bool
cymru_find(const cymru *self, const limen_request *req, limen_reply *reply, dns_type type,
           const char *const zones[2], dns_manner manner, cymru_finding *out)
{
	char name[DNS_NAME_MAX];
	const dns_answer *answer;

	out->answer = NULL;
	out->verdict = dns_requester(req, reply, &out->requester);
	if (out->verdict != LIMEN_PASS)
		return true;
	dns_reverse_name(&out->requester, zones[out->requester.family == 6], name);
	answer = dns_find(self->resolver, type, name, dns_deadline(req, self->timeout, manner), manner);
	if (answer == NULL) {
		limen_reply_reason(reply, "%s", limen_result_text(LIMEN_ENOMEM));
		out->verdict = LIMEN_ERROR;
		return manner != DNS_REMEMBERED;
	}
	if (answer->outcome == DNS_FOUND) {
		out->answer = answer;
		return true;
	}
	out->verdict = answer->outcome == DNS_NO_NAME ? LIMEN_FAIL
	                                              : stand_in(self, req, reply, answer);
	dns_release(answer);
	return true;
}
