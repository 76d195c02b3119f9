/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call.c - wraps every call of a module: deadline, locking, time, trace.
 */
#include "pipeline.h"

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

static const char *
explain_error(limen_reply *reply, limen_verdict returned)
{
	/* The reason of another verdict does not explain the error. */
	bool explained = reply->reason != NULL &&
	                 (returned < LIMEN_PASS || returned > LIMEN_SKIP);

	if (reply->mistake != NULL && !explained)
		return reply->mistake;
	if (reply->mistake != NULL)
		limen_reply_reason(reply, "%s", reply->mistake);
	if (explained)
		return reply->reason;
	if (reply->failed || reply->untold)
		return limen_result_text(LIMEN_ENOMEM);
	return returned == LIMEN_ERROR ? "the module failed and gave no reason"
	                               : "the module returned an unknown verdict";
}

static void
end(call *one, limen_verdict returned, bool traced)
{
	limen_reply *reply = &one->reply;

	activity_set(NULL);
	if (reply->violations.count > 0 && (returned == LIMEN_PASS || returned == LIMEN_SKIP))
		reply_mistake(reply, "limen_reply_violation: the module reports a violation, but "
		                     "returns %s", returned == LIMEN_PASS ? "LIMEN_PASS" : "LIMEN_SKIP");
	one->verdict = reply_verdict(reply, returned);
	one->nanoseconds = traced ? limen_host_monotonic() - one->nanoseconds : 0;
	if (one->verdict == LIMEN_ERROR)
		reply->reason = explain_error(reply, returned);
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

/* Bounds are reported for failures only, and only if all texts fit: a partial list misleads. */
static bool
tells_bounds(const entry *target, const call *one)
{
	return one->verdict == LIMEN_FAIL && !target->invert && !one->reply.untold;
}

/* Ends a cut list with a line that gives the number of missing items.  False: no memory. */
static bool
tell_rest(arena *memory, size_t more, const char *what, const char **items, size_t *used)
{
	if (more == 0)
		return true;
	items[*used] = arena_printf(memory, "%zu more %s", more, what);
	return items[(*used)++] != NULL;
}

static bool
take_notes(arena *memory, const entry *target, const call *one, limen_trace *out)
{
	const text_list *notes = &one->reply.notes;
	const char **items = arena_calloc(memory, notes->count + 3, sizeof(*items));
	size_t missed = tells_bounds(target, one) ? one->reply.bounds.more : 0;
	size_t used = 0;

	if (items == NULL)
		return false;
	for (const text_item *item = notes->first; item != NULL; item = item->next)
		items[used++] = item->text;
	out->notes = items;
	if (!tell_rest(memory, notes->more, "notes", items, &used) ||
	    !tell_rest(memory, missed, "bounds were missed", items, &used))
		return false;
	out->note_count = used;
	return true;
}

static bool
take_bounds(arena *memory, const entry *target, const call *one, limen_trace *out)
{
	const text_item *item = one->reply.bounds.first;
	size_t count = one->reply.bounds.count;
	limen_bound *items;

	if (count == 0 || !tells_bounds(target, one))
		return true;
	items = arena_calloc(memory, count, sizeof(*items));
	if (items == NULL)
		return false;
	for (size_t i = 0; i < count; i++, item = item->next)
		items[i] = (limen_bound){ .field = item->key,
			                  .have = item->detail,
			                  .relation = (uint32_t)item->number,
			                  .bound = item->text };
	out->bounds = items;
	out->bound_count = count;
	return true;
}

/* Were bounds dropped for lack of room?  cost_of() itself finds lists of TRACE_LISTED_MAX. */
static bool
lacks_bounds(const entry *target, const call *one)
{
	const text_list *bounds = &one->reply.bounds;

	return tells_bounds(target, one) && bounds->more > 0 && bounds->count < TRACE_LISTED_MAX;
}

static bool
add_trace(pipeline *run, const entry *target, limen_kind kind, call *one)
{
	limen_decision *decision = run->decision;
	trace_item *item = arena_calloc(&decision->arena, 1, sizeof(*item));
	arena *memory = &decision->arena;

	if (item == NULL)
		return false;
	item->trace = (limen_trace){
		.kind = kind,
		.type = arena_strdup(memory, target->type),
		.name = arena_strdup(memory, target->name),
		.verdict = one->verdict,
		.inverted = target->invert,
		.reason = one->reply.reason,
		.nanoseconds = one->nanoseconds,
		.file = target->file == NULL ? NULL : arena_strdup(memory, target->file),
		.line = target->line,
		.phase = one->phase,
		.application = kind == LIMEN_KIND_LIMIT ? run->application : 0,
		.group = kind == LIMEN_KIND_LIMIT ? run->group : 0,
		.retry_after = one->reply.retry_after,
	};
	*decision->trace_end = item;
	decision->trace_end = &item->next;
	decision->trace_count++;
	decision->bounds_untold = decision->bounds_untold || lacks_bounds(target, one);
	return take_notes(memory, target, one, &item->trace) &&
	       take_bounds(memory, target, one, &item->trace) && item->trace.type != NULL &&
	       item->trace.name != NULL;
}

void
call_record(pipeline *run, const entry *target, limen_kind kind, call *one)
{
	limen_decision *decision = run->decision;

	text_list_append(&decision->warnings, &one->reply.warnings);
	if (!decision_take_annotations(decision, &one->reply.annotations))
		decision->diagnostics.failed = true;
	if (one->reply.retry_after > decision->retry_after)
		decision->retry_after = one->reply.retry_after;
	if (decision->wants_trace && !add_trace(run, target, kind, one))
		decision->diagnostics.failed = true;
}
