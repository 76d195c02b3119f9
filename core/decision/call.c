/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.c - wraps every call of a module: deadline, locking, time.
 */
#include "pipeline.h"

#include "base/compiler.h"

/* Reads the clock if a trace is wanted; false, with the verdict set, past the deadline. */
static bool
begin(call *one, const entry *target, const call_inputs *inputs)
{
	limen_deadline deadline = inputs->request->view->deadline;

	reply_start(&one->reply, inputs->memory, inputs->request);
	one->reply.may = inputs->may;
	one->reply.wants_bounds = inputs->traced;
	one->reply.wants_origins = inputs->wants_origins;
	one->reply.observes = inputs->observes;
	one->verdict = LIMEN_ERROR;
	one->nanoseconds = 0;
	one->phase = NULL;
	one->outside = false;
	/* A deadline not computed yet stays so (view_deadline()): computing it reads the clock. */
	if (deadline != INT64_MAX) {
		one->nanoseconds = limen_host_monotonic();
		if (one->nanoseconds >= deadline) {
			one->nanoseconds = 0;
			one->reply.reason = "the deadline of the decision has passed";
			one->outside = true;
			return false;
		}
	} else if (inputs->traced) {
		one->nanoseconds = limen_host_monotonic();
	}
	activity_set(target);
	return true;
}

static OUTLINE void
explain_error(limen_reply *reply, limen_verdict returned)
{
	/* The reason of another verdict does not explain the error. */
	bool explained = reply->reason != NULL &&
	                 (returned < LIMEN_PASS || returned > LIMEN_SKIP);

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
end(call *one, limen_verdict returned, bool traced)
{
	limen_reply *reply = &one->reply;

	activity_set(NULL);
	if (reply->violations.count > 0 && (returned == LIMEN_PASS || returned == LIMEN_SKIP))
		blame_violation(reply, returned);
	one->verdict = reply_verdict(reply, returned);
	one->nanoseconds = traced ? limen_host_monotonic() - one->nanoseconds : 0;
	if (one->verdict == LIMEN_ERROR)
		explain_error(reply, returned);
}

void
call_finish(call *one)
{
	reply_finish(&one->reply);
}

call_inputs
call_inputs_of(const pipeline *run)
{
	return (call_inputs){ .request = &run->request,
		              .memory = &run->decision->arena,
		              .traced = run->decision->wants_trace };
}

void
call_run(call *one, const entry *target, call_method *method, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	limen_verdict returned;

	if (!begin(one, target, inputs))
		return;
	instance_enter(inst);
	returned = method(inst->self, inputs->request, &one->reply);
	instance_leave(inst);
	end(one, returned, inputs->traced);
}

void
call_prioritizer(call *one, const entry *target, double initial, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	limen_verdict returned;

	if (!begin(one, target, inputs))
		return;
	instance_enter(inst);
	returned = inst->module->descriptor.prioritizer.prioritize(inst->self, inputs->request,
	                                                           initial, &one->reply);
	instance_leave(inst);
	end(one, returned, inputs->traced);
}

bool
call_identifier_now(call *one, const entry *target, const call_inputs *inputs)
{
	const instance *inst = target->instance;
	const limen_identifier_module *methods = &inst->module->descriptor.identifier;
	limen_verdict returned = LIMEN_ERROR;

	/* A thread that waits inside a serialised instance holds its lock. */
	if (methods->identify_now == NULL || (inst->flags & LIMEN_MODULE_SERIALIZE) != 0)
		return false;
	if (!begin(one, target, inputs))
		return true;
	if (!methods->identify_now(inst->self, inputs->request, &one->reply, &returned)) {
		activity_set(NULL);
		call_finish(one);
		return false;
	}
	end(one, returned, inputs->traced);
	return true;
}

void
call_report(pipeline *run, const entry *target, limen_kind kind, call *one)
{
	limen_decision *decision = run->decision;

	item_list_append(&decision->warnings, &one->reply.warnings);
	if (!decision_take_annotations(decision, &one->reply.annotations))
		decision->diagnostics.failed = true;
	if (one->reply.retry_after > decision->retry_after)
		decision->retry_after = one->reply.retry_after;
	if (decision->wants_trace && !trace_add(run, target, kind, one))
		decision->diagnostics.failed = true;
}
