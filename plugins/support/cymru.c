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
	int result = dns_check_timeout(opening, self->timeout, diag);

	if (result != LIMEN_OK)
		return result;
	return dns_open(self->server, limen_opening_option(opening, "server"), diag,
	                &self->resolver);
}

void
cymru_close(void *self)
{
	dns_close(((cymru *)self)->resolver);
}

void
cymru_status(const void *self, limen_builder *build)
{
	dns_report(((const cymru *)self)->resolver, build);
}

/*
 * "When a definitive answer cannot be found" (pscheduler-limits): everything but an answer and the
 * word that there is no such name.
 */
static limen_verdict
stand_in(const cymru *self, limen_reply *reply, const dns_answer *answer)
{
	if (answer->outcome == DNS_SHORT) {
		limen_reply_reason(reply, "%s", answer->why);
		return LIMEN_ERROR;
	}
	limen_reply_reason(reply, "%s; fail-result is %s",
	                   answer->outcome == DNS_FAILED ? answer->why
	                                                 : "the name has no record of that type",
	                   self->fail_result ? "true" : "false");
	return self->fail_result ? LIMEN_PASS : LIMEN_FAIL;
}

bool
cymru_find(const cymru *self, const limen_address *requester, const limen_request *req,
           limen_reply *reply, dns_type type, const char *const zones[2], bool blocks,
           cymru_finding *out)
{
	char name[DNS_NAME_MAX];
	const dns_answer *answer;

	*out = (cymru_finding){ .verdict = LIMEN_FAIL };
	dns_reverse_name(requester, zones[requester->family == 6], name);
	answer = dns_look(self->resolver, type, name, req, self->timeout, blocks);
	if (answer == NULL)
		return false;
	if (answer->outcome == DNS_FOUND) {
		out->answer = answer;
		return true;
	}
	if (answer->outcome != DNS_NO_NAME)
		out->verdict = stand_in(self, reply, answer);
	dns_release(answer);
	return true;
}
