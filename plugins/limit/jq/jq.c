/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq.c - the limit that asks a jq script about the task (limits.rst, "jq - Use a
 * jq Script to Make a Pass/Fail Decision").
 *
 * Scripts get the task as it is.  The hints, which pScheduler does not give
 * them, come from the function hint(name), limen's addition.
 */
#include <limen/version.h>

#include "../../support/jq/jq.h"

/* The document's examples write these for ".test.type" and ".test.spec". */
static const jq_stranger strangers[] = {
	{ ".type", "which no task has; the type of the test is .test.type" },
	{ ".spec", "which no task has; the parameters of the test are in .test.spec" },
	{ ".task", "but its input is the task itself: leave out .task" },
	{ ".hints", "which no task has; hint(NAME) gives a hint" },
	{ ".requester", "which is a hint; hint(\"requester\") gives it" },
	{ ".classifiers", "which limits cannot see" },
	{ NULL, NULL }
};

static int
open_script(void *self, limen_opening *opening, limen_diag *diag)
{
	jq_instance *limit = self;
	const jq_setup setup = { .hints = true, .strangers = strangers };

	/* pScheduler takes no notice of it here; a text for true would fail every task. */
	limit->transform.output_raw = false;
	return jq_instance_open(limit, &setup, opening, diag);
}

static limen_verdict
judge(jv value, limen_reply *reply)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_TRUE:
		return LIMEN_PASS;
	case JV_KIND_FALSE:
		limen_reply_reason(reply, "Unspecified reason");
		return LIMEN_FAIL;
	case JV_KIND_STRING:
		limen_reply_reason(reply, "%s", jv_string_value(value));
		return LIMEN_FAIL;
	default:
		limen_reply_reason(reply, "Script returned unusable data");
		return LIMEN_FAIL;
	}
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const jq_instance *limit = self;
	limen_verdict verdict = LIMEN_ERROR;
	jq_result result;

	jq_run_for(limit->script, req, jq_document(req), &result);
	if (result.outcome == JQ_VALUE)
		verdict = judge(result.value, reply);
	else
		limen_reply_reason(reply, "Failed to process task: %s", jq_result_error(&result));
	jq_result_clear(&result);
	return verdict;
}

LIMEN_LIMIT("jq",
	.version = LIMEN_VERSION,
	.summary = "Passes tasks that a jq script finds acceptable",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = jq_instance_options,
	.instance_size = sizeof(jq_instance),
	.open = open_script,
	.close = jq_instance_close,
	.check = check);
