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

static int
open_always(void *self, limen_opening *opening, limen_diag *diag)
{
	(void)self;
	(void)diag;
	return limen_opening_use_http(opening, 0, NULL);
}

LIMEN_IDENTIFIER("always",
	.version = LIMEN_VERSION,
	.summary = "Identifies every requester",
	.open = open_always,
	.identify = identify);
