/* SPDX-License-Identifier: Apache-2.0 */
/*
 * await.c - the admission module that waits without a thread before it is asked: it refuses what it has
 * not looked up.
 */
#include <limen/version.h>

#include "../lookup.h"

static bool
ready(const void *self, const limen_request *req)
{
	bool found;

	return lookup_is_over(self, req, &found, NULL);
}

static limen_verdict
validate(const void *self, const limen_request *req, limen_reply *reply)
{
	bool found;

	lookup_is_over(self, req, &found, NULL);
	if (found)
		return LIMEN_PASS;
	limen_reply_violation(reply, LIMEN_CLASS_FORBIDDEN, NULL, "it was not looked up");
	return LIMEN_FAIL;
}

LIMEN_ADMISSION("await",
	.version = LIMEN_VERSION,
	.summary = "Waits without a thread",
	.flags = LIMEN_MODULE_LOOKUPS,
	.options = lookup_options,
	.instance_size = sizeof(struct lookup),
	.open = lookup_open,
	.validate = validate,
	.ready = ready);
