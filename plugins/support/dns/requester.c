/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requester.c - what modules that ask about the requester have in common: its
 * address and the time there is.
 */
#include <limen/duration.h>
#include <string.h>

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
dns_deadline(const limen_request *req, limen_duration timeout)
{
	int64_t now = limen_host_monotonic();
	limen_deadline decision = limen_request_deadline(req);
	limen_deadline end = INT64_MAX;

	if (timeout < (INT64_MAX - now) / 1000)
		end = now + timeout * 1000;
	return decision < end ? decision : end;
}

int
dns_check_timeout(limen_opening *opening, limen_duration timeout, limen_diag *diag)
{
	limen_duration whole = 30 * LIMEN_SECOND;
	limen_value setting;
	const char *text;

	if (limen_opening_setting(opening, "timeout", &setting) != LIMEN_OK)
		return LIMEN_ENOMEM;
	text = limen_value_string(setting, NULL);
	if (text != NULL && strcmp(text, "none") == 0)
		return LIMEN_OK;
	/* A value that is no duration is a problem of the settings, not of this entry. */
	if (text != NULL &&
	    limen_duration_parse(text, strlen(text), LIMEN_DURATION_SHORT, &whole, NULL) != LIMEN_OK)
		return LIMEN_OK;
	if (whole == 0 || timeout <= whole / 2)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_opening_option(opening, "timeout"),
	               "is longer than identifiers are waited for, which is half of the 'timeout' in "
	               "'settings' (%s)", text == NULL ? "PT30S by default" : text);
	return LIMEN_OK;
}
