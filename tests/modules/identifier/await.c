/* SPDX-License-Identifier: Apache-2.0 */
/*
 * await.c - the identifier that waits without a thread: it does not identify if its lookup ends, and
 * identifies if it does not end in time, as a "fail-result" of true.
 */
#include <limen/version.h>

#include "../lookup.h"

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	limen_reply_reason(reply, "called with nobody to wake");
	return LIMEN_ERROR;
}

static bool
identify_now(const void *self, const limen_request *req, limen_reply *reply,
             limen_verdict *verdict)
{
	unsigned asked = 0;
	bool found;
	bool over = lookup_is_over(self, req, &found, &asked);

	limen_reply_reason(reply, "%s", found ? "found" : "not in time");
	limen_reply_warning(reply, "asked %u times", asked);
	*verdict = found ? LIMEN_FAIL : LIMEN_PASS;
	return over;
}

LIMEN_IDENTIFIER("await",
	.version = LIMEN_VERSION,
	.summary = "Waits without a thread",
	.options = lookup_options,
	.instance_size = sizeof(struct lookup),
	.open = lookup_open,
	.identify = identify,
	.identify_now = identify_now);
