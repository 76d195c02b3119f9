/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass-fail.c - the limit that passes or fails as its data says (limits.rst,
 * "pass-fail").
 */
#include <limen/module.h>
#include <limen/version.h>

struct pass_fail {
	bool pass;
};

static const limen_option options[] = {
	LIMEN_OPT_BOOL(struct pass_fail, pass, .key = "pass", .required = true,
	               .help = "Whether the limit passes"),
	LIMEN_OPT_END
};

static int
open_limit(void *self, limen_opening *opening, limen_diag *diag)
{
	(void)self;
	(void)diag;
	return limen_opening_use_http(opening, 0, NULL);
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct pass_fail *limit = self;

	(void)req;
	if (limit->pass)
		return LIMEN_PASS;
	limen_reply_reason(reply, "Forced failure");
	return LIMEN_FAIL;
}

LIMEN_LIMIT("pass-fail",
	.version = LIMEN_VERSION,
	.summary = "Passes or fails everything",
	.options = options,
	.instance_size = sizeof(struct pass_fail),
	.open = open_limit,
	.check = check);
