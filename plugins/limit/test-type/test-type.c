/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-type.c - the limit that wants the type of the test to be in a list
 * (limits.rst, "test-type").
 */
#include <limen/module.h>
#include <limen/version.h>
#include <stdio.h>

struct test_type {
	limen_strings types;
};

static const limen_option options[] = {
	LIMEN_OPT_STRINGS(struct test_type, types, .key = "types", .required = true,
	                  .help = "The test types that pass"),
	LIMEN_OPT_END
};

static bool
is_listed(const struct test_type *limit, limen_value type)
{
	for (size_t i = 0; i < limit->types.count; i++)
		if (limen_value_is(type, limit->types.items[i]))
			return true;
	return false;
}

/* The first of them, which is enough to see what is meant. */
#define SHOWN_MAX 400

static void
tell_missed(const struct test_type *limit, limen_value type, limen_reply *reply)
{
	char bound[SHOWN_MAX] = "";
	size_t used = 0;

	for (size_t i = 0; i < limit->types.count && used < sizeof(bound) - 1; i++)
		used += (size_t)snprintf(bound + used, sizeof(bound) - used, "%s%s",
		                         i == 0 ? "" : ", ", limit->types.items[i]);
	limen_reply_bound(reply, "test.type", limen_value_string(type, NULL), LIMEN_ONE_OF, bound);
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct test_type *limit = self;
	limen_value test = limen_value_get(limen_request_document(req), "test");
	limen_value type = limen_value_get(test, "type");

	/* A failure would be inverted, and this task says nothing about its type. */
	if (limen_value_exists(test) && limen_value_type(test) != LIMEN_TYPE_OBJECT) {
		limen_reply_reason(reply, "The test in the task is not an object");
		return LIMEN_ERROR;
	}
	if (is_listed(limit, type))
		return LIMEN_PASS;
	if (limen_reply_wants_bounds(reply))
		tell_missed(limit, type, reply);
	if (!limen_value_exists(type)) {
		limen_reply_reason(reply, "No type in task");
		return LIMEN_FAIL;
	}
	limen_reply_reason(reply, "Test type not in list");
	return LIMEN_FAIL;
}

LIMEN_LIMIT("test-type",
	.version = LIMEN_VERSION,
	.summary = "Passes tasks whose test is of one of the types listed",
	.options = options,
	.instance_size = sizeof(struct test_type),
	.check = check);
