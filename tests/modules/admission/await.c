/* SPDX-License-Identifier: Apache-2.0 */
/*
 * await.c - the admission module that waits without a thread before it is asked: it refuses what it has
 * not looked up.
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

static bool
ready(const void *self, const limen_request *req)
{
	const struct await *await = self;
	bool found;

	return lookup_is_over(&await->lookup, req, &found);
}

static limen_verdict
validate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct await *await = self;
	bool found;

	lookup_is_over(&await->lookup, req, &found);
	if (found)
		return LIMEN_PASS;
	limen_reply_violation(reply, LIMEN_CLASS_FORBIDDEN, NULL, "it was not looked up");
	return LIMEN_FAIL;
}

LIMEN_ADMISSION("await",
	.version = LIMEN_VERSION,
	.summary = "Waits without a thread",
	.flags = LIMEN_MODULE_LOOKUPS,
	.options = options,
	.instance_size = sizeof(struct await),
	.open = open_await,
	.validate = validate,
	.ready = ready);
