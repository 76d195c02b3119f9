/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.c - wraps every call of a module: deadline, locking, time.
 */
#include "pipeline.h"

#include "base/compiler.h"

const char call_too_late[] = "no answer in time: identifiers have half of the decision's time";

void
call_give_up(pipeline *run, call *out, const char *why)
{
	reply_start(&out->reply, &run->decision->arena, &run->request);
	out->verdict = LIMEN_ERROR;
	out->nanoseconds = 0;
	out->outside = true;
	out->reply.reason = why;
}

/* Reads the clock if a trace is wanted; false, with the verdict set, past the deadline. */
static bool
begin(call *result, const entry *target, const call_inputs *inputs)
{
	limen_deadline deadline = inputs->request->view->deadline;

	reply_start(&result->reply, inputs->memory, inputs->request);
	result->reply.may = inputs->may;
	result->reply.wants_bounds = inputs->traced;
	result->reply.wants_origins = inputs->wants_origins;
	result->reply.observes = inputs->observes;
	result->verdict = LIMEN_ERROR;
	result->nanoseconds = 0;
	result->phase = NULL;
	result->outside = false;
	/* A deadline not computed yet stays so (view_deadline()): computing it reads the clock. */
	if (deadline != INT64_MAX) {
		result->nanoseconds = limen_host_monotonic();
		if (result->nanoseconds >= deadline) {
			result->nanoseconds = 0;
			result->reply.reason = "the deadline of the decision has passed";
			result->outside = true;
			return false;
		}
	} else if (inputs->traced) {
		result->nanoseconds = limen_host_monotonic();
	}
	activity_set(target);
	return true;
}

static OUTLINE void
explain_error(limen_reply *reply, limen_verdict returned)
{
	/* The reason of another verdict does not explain the error. */
	bool explained = reply->reason != NULL && (returned < LIMEN_PASS || returned > LIMEN_SKIP);

	if (reply->mistake != NULL && explained)
		limen_reply_reason(reply, "%s", reply->mistake);
	else if (reply->mistake != NULL)
		reply->reason = reply->mistake;
	else if (!explained && (reply->failed || reply->untold))
		reply->reason = limen_result_text(LIMEN_ENOMEM);
	else if (!explained)
		reply->reason = returned == LIMEN_ERROR ? "the module failed and gave no reason"
		                                        : "the module returned an unknown verdict";
}

static OUTLINE void
blame_violation(limen_reply *reply, limen_verdict returned)
{
	reply_mistake(reply, "limen_reply_violation: the module reports a violation, but returns %s",
	              returned == LIMEN_PASS ? "LIMEN_PASS" : "LIMEN_SKIP");
}

static inline void
end(call *result, limen_verdict returned, bool traced)
{
	limen_reply *reply = &result->reply;

	activity_set(NULL);
	if (reply->violations.count > 0 && (returned == LIMEN_PASS || returned == LIMEN_SKIP))
		blame_violation(reply, returned);
	result->verdict = reply_verdict(reply, returned);
	result->nanoseconds = traced ? limen_host_monotonic() - result->nanoseconds : 0;
	if (result->verdict == LIMEN_ERROR)
		explain_error(reply, returned);
}

void
call_finish(call *result)
{
	reply_finish(&result->reply);
}

call_inputs
call_inputs_of(const pipeline *run)
{
	return (call_inputs){ .request = &run->request,
		              .memory = &run->decision->arena,
		              .traced = run->decision->wants_trace };
}

void
call_run(call *result, const entry *target, call_method *method, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	limen_verdict returned;

	if (!begin(result, target, inputs))
		return;
	instance_enter(inst);
	returned = method(inst->self, inputs->request, &result->reply);
	instance_leave(inst);
	end(result, returned, inputs->traced);
}

void
call_prioritizer(call *result, const entry *target, double initial, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	limen_verdict returned;

	if (!begin(result, target, inputs))
		return;
	instance_enter(inst);
	returned = inst->module->descriptor.prioritizer.prioritize(inst->self, inputs->request,
	                                                           initial, &result->reply);
	instance_leave(inst);
	end(result, returned, inputs->traced);
}

bool
call_identifier_now(call *result, const entry *target, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	const limen_identifier_module *methods = &inst->module->descriptor.identifier;
	limen_verdict returned = LIMEN_ERROR;

	/* A thread that waits inside a serialised instance holds its lock. */
	if (methods->identify_now == NULL || (inst->flags & LIMEN_MODULE_SERIALIZE) != 0)
		return false;
	if (!begin(result, target, inputs))
		return true;
	if (!methods->identify_now(inst->self, inputs->request, &result->reply, &returned)) {
		activity_set(NULL);
		call_finish(result);
		return false;
	}
	end(result, returned, inputs->traced);
	return true;
}

void
call_report(pipeline *run, const entry *target, limen_kind kind, call *result)
{
	limen_decision *decision = run->decision;

	item_list_append(&decision->warnings, &result->reply.warnings);
	if (!decision_take_annotations(decision, &result->reply.annotations))
		decision->diagnostics.failed = true;
	/* note_wait() of apply.c takes that of limits: the shortest of the alternatives. */
	if (kind != LIMEN_KIND_LIMIT && result->reply.retry_after > decision->retry_after)
		decision->retry_after = result->reply.retry_after;
	if (decision->wants_trace && !trace_add(run, target, kind, result))
		decision->diagnostics.failed = true;
}
