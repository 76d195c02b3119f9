/* SPDX-License-Identifier: Apache-2.0 */
/*
 * await.c - the identifier that waits without a thread: it does not identify if its lookup ends, and
 * identifies if it does not end in time, as a "fail-result" of true.
 */
#include <limen/version.h>

#include "../lookup.h"

struct await {
	struct lookup_options lookup;
};

static const limen_option options[] = {
	LIMEN_OPT_DURATION(struct await, lookup.delay, .key = "delay",
	                   .help = "How long the lookup takes; 0: for ever"),
	LIMEN_OPT_DURATION(struct await, lookup.timeout, .key = "timeout", .fallback = "PT60S",
	                   .help = "How long to wait"),
	LIMEN_OPT_END
};

static int
open_await(void *self, limen_opening *opening, limen_diag *diag)
{
	struct await *await = self;

	(void)diag;
	await->lookup.host = limen_opening_host(opening);
	return LIMEN_OK;
}

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
	const struct await *await = self;
	bool found;
	bool over = lookup_is_over(&await->lookup, req, &found);

	limen_reply_reason(reply, "%s", found ? "found" : "not in time");
	*verdict = found ? LIMEN_FAIL : LIMEN_PASS;
	return over;
}

LIMEN_IDENTIFIER("await",
	.version = LIMEN_VERSION,
	.summary = "Waits without a thread",
	.options = options,
	.instance_size = sizeof(struct await),
	.open = open_await,
	.identify = identify,
	.identify_now = identify_now);
