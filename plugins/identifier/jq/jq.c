/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq.c - the identifier that asks a jq script about the hints (limits.rst, "jq -
 * Use a jq Script to Identify Requesters").
 */
#include <limen/version.h>

#include "../../support/jq/jq.h"

static const jq_stranger strangers[] = {
	{ ".hints", "but its input is the hints themselves: leave out .hints" },
	{ ".test", "but its input is the hints; identifiers do not see the task" },
	{ ".task", "but its input is the hints; identifiers do not see the task" },
	{ NULL, NULL }
};

static int
open_script(void *self, limen_opening *opening, limen_diag *diag)
{
	const jq_setup setup = { .strangers = strangers, .reads_hints = true };

	return jq_instance_open(self, &setup, opening, diag);
}

/*
 * "Return of any other type will be treated the same as a value false."  That is
 * an answer; a script that failed gave none, and so is never inverted.
 */
static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const jq_instance *identifier = self;
	limen_verdict verdict = LIMEN_FAIL;
	jq_result result;

	jq_run(identifier->script, jq_hints(req), limen_request_deadline(req), &result);
	if (result.outcome == JQ_FAILED) {
		limen_reply_reason(reply, "%s", jq_result_error(&result));
		verdict = LIMEN_ERROR;
	} else if (jv_get_kind(result.value) == JV_KIND_TRUE) {
		verdict = LIMEN_PASS;
	}
	jq_result_clear(&result);
	return verdict;
}

LIMEN_IDENTIFIER("jq",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters by a jq script that looks at the hints",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = jq_instance_options,
	.instance_size = sizeof(jq_instance),
	.open = open_script,
	.close = jq_instance_close,
	.identify = identify);
