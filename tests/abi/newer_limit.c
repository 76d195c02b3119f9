/* SPDX-License-Identifier: Apache-2.0 */
/*
 * newer_limit.c - a limit for the core of newer.patch.  With LIMEN_ABI_WANT 0 it is one of 1.0; then
 * USES_NEWER makes it use what is not declared.
 */
#include <limen/module.h>

#if LIMEN_ABI_WANT > 0
#define USES_NEWER
#endif

struct fields {
	int64_t max;
};

static const limen_option options[] = {
	LIMEN_OPT_INT(struct fields, max, .key = "max", .help = "The most",
#ifdef USES_NEWER
	              .retired = "'max' is retired"
#endif
	              ),
	LIMEN_OPT_END
};

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	limen_reply_reason(reply, "by the older method");
	return LIMEN_FAIL;
}

#ifdef USES_NEWER
static limen_verdict
check_newer(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	limen_reply_reason(reply, "by the newer method");
	return limen_newer() == LIMEN_OK ? LIMEN_FAIL : LIMEN_PASS;
}
#endif

LIMEN_LIMIT("newer", .version = "1", .summary = "Newer", .instance_size = sizeof(struct fields),
            .options = options, .check = check,
#ifdef USES_NEWER
            .check_newer = check_newer
#endif
);
