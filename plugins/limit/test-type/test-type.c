/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test-type.c - the limit that wants the type of the test to be in a list
 * (limits.rst, "test-type").
 */
#include <limen/module.h>
#include <limen/nearest.h>
#include <limen/version.h>
#include <stdio.h>
#include <string.h>

struct test_type {
	limen_strings types;
};

static const limen_option options[] = {
	LIMEN_OPT_STRINGS(struct test_type, types, .key = "types", .required = true,
	                  .help = "The test types that pass"),
	LIMEN_OPT_END
};

/* The tests of pScheduler 5. */
static const char *const known_types[] = {
	"clock", "dhcp", "disk-to-disk", "dns", "dot1x", "http", "idle", "idlebgm", "idleex",
	"latency", "latencybg", "mtu", "netreach", "openports", "psresponse", "rtt",
	"s3throughput", "simplestream", "snmpget", "snmpgetbgm", "snmpset", "throughput", "trace",
	"wifibssid", NULL
};

/* Warns of unknown types only: a site may have tests of its own. */
static int
open_test_type(void *self, limen_opening *opening, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(limen_opening_option(opening, "types"));
	limen_value element;

	(void)self;
	while (limen_iter_next(&iter, NULL, &element)) {
		const char *type = limen_value_string(element, NULL);
		const char *nearest = limen_nearest_of(type, known_types);

		if (nearest != NULL && strcmp(nearest, type) == 0)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, element, "pScheduler has no test '%s'",
		               type);
		if (nearest != NULL)
			limen_diag_hint(diag, "did you mean '%s'?", nearest);
	}
	return LIMEN_OK;
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
	limen_reply_bound(reply, "test.type", limen_value_string(type, NULL), LIMEN_RELATION_ONE_OF,
	                  bound);
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
	for (size_t i = 0; i < limit->types.count; i++)
		if (limen_value_is(type, limit->types.items[i]))
			return LIMEN_PASS;
	if (limen_reply_wants_bounds(reply))
		tell_missed(limit, type, reply);
	if (!limen_value_exists(type)) {
		limen_reply_reason(reply, limen_request_subject(req) == LIMEN_SUBJECT_TASK
		                                  ? "No type in task"
		                                  : "The request is not a task, so it has no test");
		return LIMEN_FAIL;
	}
	limen_reply_reason(reply, "Test type not in list");
	return LIMEN_FAIL;
}

LIMEN_LIMIT("test-type",
	.version = LIMEN_VERSION,
	.summary = "Passes tasks with a listed test type",
	.options = options,
	.instance_size = sizeof(struct test_type),
	.open = open_test_type,
	.check = check);
