/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.c - what Go cannot write: the table of options and the descriptor.
 */
#include "_cgo_export.h"

void
cap_reason(limen_reply *reply, const char *text)
{
	limen_reply_reason(reply, "%s", text);
}

static const limen_option cap_options[] = {
	LIMEN_OPT_PATH(struct cap, path, .key = "path", .required = true,
	               .help = "The attribute to compare, such as /test/spec/count"),
	LIMEN_OPT_INT(struct cap, max, .key = "max", .required = true,
	              .help = "The largest value admitted"),
	LIMEN_OPT_END
};

/* Go knows no const. */
static limen_verdict
cap_check(const void *self, const limen_request *req, limen_reply *reply)
{
	return capCheck((void *)self, (limen_request *)req, reply);
}

LIMEN_LIMIT("cap",
	.version = "1.0",
	.summary = "Cap one integer attribute of the request, in Go",
	.options = cap_options,
	.instance_size = sizeof(struct cap),
	.check = cap_check);
