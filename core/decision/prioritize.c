/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prioritize.c - computes the priority of an admitted run.
 */
#include <math.h>

#include "pipeline.h"
#include "policy/policy.h"

void
prioritize_default(pipeline *run)
{
	run->decision->priority = run->policy->initial_priority;
	run->decision->has_priority = true;
	if (run->decision->wants_diagnostics)
		account_lines(&run->decision->diagnostics, run->policy->default_priority.text,
		              run->policy->default_priority.length);
}

bool
refuse_script(pipeline *run, const entry *script, int code, const char *prefix, const char *why)
{
	limen_decision *decision = run->decision;

	strbuf_free(&decision->diagnostics);
	revision_unref(decision->rewritten);
	document_unref(decision->patch);
	decision->rewritten = NULL;
	decision->patch = NULL;
	decision_blame(decision, script->name);
	decision_refuse(decision, code, "%s%s", prefix, why);
	decision_line(decision, "", "%s%s", prefix, why);
	return false;
}

static bool
refuse_priority(pipeline *run, const char *prefix, const char *why)
{
	return refuse_script(run, run->policy->prioritizer, 500, prefix, why);
}

/* Reads the "priority" of the task, if given; returns false if it is not a number. */
static bool
requested_priority(pipeline *run, bool *given, double *out)
{
	limen_value value = limen_value_get(limen_request_original(&run->request), "priority");
	bool flag;

	*given = limen_value_exists(value) && limen_value_type(value) != LIMEN_TYPE_NULL;
	if (!*given)
		return true;
	/* Python counts true as 1. */
	if (limen_value_bool(value, &flag)) {
		*out = flag ? 1.0 : 0.0;
		return true;
	}
	return limen_value_real(value, out) && isfinite(*out);
}

/* Python's integers have no end, so one is shown as it was written. */
static const char *
shown_request(pipeline *run, double requested)
{
	limen_value value = limen_value_get(limen_request_original(&run->request), "priority");
	size_t length;
	const char *text = limen_value_number(value, &length);

	if (limen_value_type(value) != LIMEN_TYPE_INTEGER || requested == 0.0)
		return wording_priority(&run->decision->arena, requested);
	text = arena_strndup(&run->decision->arena, text, length);
	return text == NULL ? "?" : text;
}

static void
write_priority(pipeline *run, const call *result, bool given, double requested)
{
	const char *end = result->reply.notes.count > 0 ? ":" : ".";
	const char *text = wording_priority(&run->decision->arena, result->reply.priority);

	if (given)
		decision_line(run->decision, "", "Priority %s requested, set at %s%s",
		              shown_request(run, requested), text, end);
	else
		decision_line(run->decision, "", "Priority set at %s%s", text, end);
	for (const text_item *note = result->reply.notes.first; note != NULL; note = note->next)
		decision_line(run->decision, "", "  %s", note->text);
	if (result->reply.notes.more > 0)
		decision_line(run->decision, "", "  %zu more notes", result->reply.notes.more);
}

static bool
take_result(pipeline *run, const call *result)
{
	double requested = 0.0;
	bool given;

	if (result->verdict != LIMEN_PASS)
		return refuse_priority(run, "Error determining priority: ",
		                       result->reply.reason == NULL ? "no reason given"
		                                                 : result->reply.reason);
	if (!result->reply.has_priority)
		return refuse_priority(run, "", "Prioritizer produced no result");
	if (!isfinite(result->reply.priority))
		return refuse_priority(run, "Error determining priority: ",
		                       "the priority is not a finite number");
	if (!requested_priority(run, &given, &requested))
		return refuse_priority(run, "",
		                       "Failed to process limits: processor threw an exception.\n\n"
		                       "the requested priority is not a number\n\n"
		                       "Please report this as a bug.");
	run->decision->priority = result->reply.priority;
	run->decision->has_priority = true;
	write_priority(run, result, given, requested);
	return true;
}

bool
prioritize(pipeline *run)
{
	const entry *target = run->policy->prioritizer;
	call_inputs inputs;
	call result;
	bool good;

	if (target == NULL || !pipeline_switch(run, run->options->prioritize, true)) {
		prioritize_default(run);
		return true;
	}
	inputs = call_inputs_of(run);
	inputs.may = REPLY_MAY_PRIORITIZE;
	call_prioritizer(&result, target, run->policy->initial_priority, &inputs);
	call_record(run, target, LIMEN_KIND_PRIORITIZER, &result);
	good = take_result(run, &result);
	call_finish(&result);
	return good;
}
