/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq.c - the prioritizer that runs a jq script on the task (limits.rst, "The
 * Priority Script"; pScheduler 5.2 for what becomes of its result).
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../../support/private_data.h"

#define PRIVATE "__PRIORITIZER_PRIVATE__"
#define NEEDS_TASK(name, body)                                                     \
	"if type != \"object\" or (has(\"" PRIVATE "\") | not) "                   \
	"then error(\"" name " works on the whole task only\") else " body " end; "

/* The priority changes in ".", as in pScheduler; other values are variables. */
static const char prelude[] =
	".priority as $__requested__ | "
	PRIVATE_DATA_PRELUDE(PRIVATE)
	"def default: $" PRIVATE ".priority; "
	"def requested: $__requested__; "
	"def priority: " NEEDS_TASK("priority", "." PRIVATE ".priority")
	"def note($m): " NEEDS_TASK("note()",
		"if $m == null then . else "
		"setpath([\"" PRIVATE "\", \"diags\"]; ." PRIVATE ".diags + [$m | tostring]) end")
	"def set($v; $m): " NEEDS_TASK("set()",
		"setpath([\"" PRIVATE "\", \"priority\"]; $v) "
		"| note(($m | tostring) + \"  (Set to \" + ($v | tostring) + \")\")")
	"def adjust($v; $m): " NEEDS_TASK("adjust()",
		"setpath([\"" PRIVATE "\", \"priority\"]; ." PRIVATE ".priority + $v) "
		"| note(($m | tostring) + \"  (\" + (if $v > 0 then \"+\" else \"-\" end) "
		"+ ($v | length | tostring) + \")\")");

static int
open_prioritizer(void *self, limen_opening *opening, limen_diag *diag)
{
	jq_instance *prioritizer = self;
	const jq_setup setup = { .prelude = prelude, .strangers = private_data_strangers };

	/* The result is a task, which text is not. */
	prioritizer->transform.output_raw = false;
	return jq_instance_open(prioritizer, &setup, opening, diag);
}

static void
add_note(limen_reply *reply, const char *message)
{
	limen_reply_note(reply, "%s", message);
}

/* Gives 'priority', which is consumed; null is none. */
static limen_verdict
give_priority(jv priority, limen_reply *reply)
{
	jv_kind kind = jv_get_kind(priority);

	if (kind == JV_KIND_NUMBER)
		limen_reply_priority(reply, jv_number_value(priority));
	else if (kind == JV_KIND_TRUE || kind == JV_KIND_FALSE)
		/* Python's true is 1. */
		limen_reply_priority(reply, kind == JV_KIND_TRUE ? 1.0 : 0.0);
	jv_free(priority);
	if (kind != JV_KIND_STRING && kind != JV_KIND_ARRAY && kind != JV_KIND_OBJECT)
		return LIMEN_PASS;
	limen_reply_reason(reply, "the priority is not a number");
	return LIMEN_ERROR;
}

/* 'result' is consumed. */
static limen_verdict
take_result(jv result, limen_reply *reply)
{
	jv data = jv_invalid();
	limen_verdict verdict;

	if (jv_get_kind(result) == JV_KIND_OBJECT)
		data = private_data_take(&result, PRIVATE);
	jv_free(result);
	if (jv_is_valid(data) && private_data_messages(data, reply, add_note)) {
		verdict = give_priority(jv_object_get(jv_copy(data), jv_string("priority")), reply);
	} else {
		limen_reply_reason(reply, "Prioritizer destroyed private data");
		verdict = LIMEN_ERROR;
	}
	jv_free(data);
	return verdict;
}

static limen_verdict
prioritize(const void *self, const limen_request *req, double initial, limen_reply *reply)
{
	const jq_instance *prioritizer = self;
	jv task = private_data_add(jq_original(req), PRIVATE, req, "priority", jv_number(initial));
	jq_result result;

	jq_run(prioritizer->script, task, limen_request_deadline(req), &result);
	if (result.outcome == JQ_VALUE)
		return take_result(result.value, reply);
	limen_reply_reason(reply, "%s", jq_result_error(&result));
	jq_result_clear(&result);
	return LIMEN_ERROR;
}

LIMEN_PRIORITIZER("jq",
	.version = LIMEN_VERSION,
	.summary = "Gives runs a priority by a jq script",
	.options = jq_instance_options,
	.instance_size = sizeof(jq_instance),
	.open = open_prioritizer,
	.close = jq_instance_close,
	.prioritize = prioritize);
