/* SPDX-License-Identifier: Apache-2.0 */
/*
 * at-most.c - a limit: passes a task whose integer attribute is not above a maximum.
 */
#include <inttypes.h>
#include <limen/module.h>

struct at_most {
	const limen_path *path;
	int64_t max;
};

static const limen_option at_most_options[] = {
	LIMEN_OPT_PATH(struct at_most, path, .key = "path", .required = true,
	               .help = "The attribute to compare, such as /test/spec/count"),
	LIMEN_OPT_INT(struct at_most, max, .key = "max", .required = true, .minimum = 1,
	              .help = "The largest value that passes"),
	LIMEN_OPT_END
};

/* Runs on any number of threads at once: the instance is only read. */
static limen_verdict
at_most_check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct at_most *limit = self;
	limen_value found = limen_request_find(req, limit->path);
	int64_t value;

	if (!limen_value_exists(found))
		return LIMEN_SKIP;
	if (!limen_value_int(found, &value)) {
		limen_reply_reason(reply, "%s is no integer", limen_path_text(limit->path));
		return LIMEN_ERROR;
	}
	if (value <= limit->max)
		return LIMEN_PASS;
	limen_reply_reason(reply, "%" PRId64 " is above %" PRId64, value, limit->max);
	return LIMEN_FAIL;
}

LIMEN_LIMIT("at-most",
	.version = "1.0",
	.summary = "Passes a task whose integer attribute is not above a maximum",
	.options = at_most_options,
	.instance_size = sizeof(struct at_most),
	.check = at_most_check);
