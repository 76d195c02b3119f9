/* SPDX-License-Identifier: Apache-2.0 */
/*
 * always.c - the identifier that identifies everyone (limits.rst, "always").
 * With "invert" it matches no requester.
 */
#include <limen/module.h>
#include <limen/version.h>

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	(void)reply;
	return LIMEN_PASS;
}

LIMEN_IDENTIFIER("always",
	.version = LIMEN_VERSION,
	.summary = "Identifies every requester",
	.identify = identify);
