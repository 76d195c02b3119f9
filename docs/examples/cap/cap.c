/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <limen/module.h>

struct cap {
	const limen_path *path;
	int64_t max;
};

static const limen_option cap_options[] = {
	LIMEN_OPT_PATH(struct cap, path, .key = "path", .required = true,
	               .help = "The attribute to compare, such as /test/spec/count"),
	LIMEN_OPT_INT(struct cap, max, .key = "max", .required = true,
	              .help = "The largest value admitted"),
	LIMEN_OPT_END
};

static limen_verdict
cap_check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct cap *cap = self;
	limen_value found = limen_request_find(req, cap->path);
	int64_t value;

	if (!limen_value_exists(found))
		return LIMEN_SKIP;
	if (!limen_value_int(found, &value))
		return LIMEN_ERROR;
	if (value <= cap->max)
		return LIMEN_PASS;
	limen_reply_reason(reply, "%" PRId64 " exceeds the cap of %" PRId64, value, cap->max);
	return LIMEN_FAIL;
}

LIMEN_LIMIT("cap",
	.version = "1.0",
	.summary = "Cap one integer attribute of the request",
	.options = cap_options,
	.instance_size = sizeof(struct cap),
	.check = cap_check);
