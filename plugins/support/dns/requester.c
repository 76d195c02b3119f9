/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requester.c - what modules that ask about the requester have in common: its
 * address and the time there is.
 */
#include "cache.h"
#include "dns.h"

/* The text is dnspython's, which pScheduler passes on to its operators. */
limen_verdict
dns_requester(const limen_request *req, limen_reply *reply, limen_address *out)
{
	limen_network requester;
	int result = limen_request_requester(req, &requester);

	if (result == LIMEN_ENOENT) {
		if (limen_reply_wants_bounds(reply))
			limen_reply_note(reply, "hint 'requester' is not given");
		return LIMEN_SKIP;
	}
	if (result != LIMEN_OK || requester.prefix != (requester.address.family == 4 ? 32 : 128)) {
		limen_reply_reason(reply, "Text input is malformed.");
		return LIMEN_ERROR;
	}
	*out = dns_unmap(&requester.address);
	return LIMEN_PASS;
}

limen_deadline
dns_deadline(const limen_request *req, limen_duration timeout, dns_manner manner)
{
	bool waits = manner != DNS_REMEMBERED;
	int64_t now = waits ? limen_host_monotonic() : cache_clock();
	limen_deadline decision = waits ? limen_request_deadline(req) : INT64_MAX;
	limen_deadline end = INT64_MAX;

	if (timeout < (INT64_MAX - now) / 1000)
		end = now + timeout * 1000;
	return decision < end ? decision : end;
}
