/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.c - identifies the requester.  All identifiers are evaluated, with the same
 * results as in file order; those that wait for the network do so side by side (pScheduler
 * runs them one after the other): wait.c for those that need no thread, the others on workers.
 */
#include <limen/host.h>
#include <string.h>

#include "base/compiler.h"
#include "pipeline.h"

static bool
is_blocking(const entry *target)
{
	return (target->instance->flags & LIMEN_MODULE_BLOCKING) != 0;
}

static void
call_now(pipeline *run, const entry *target, call *result)
{
	const call_inputs inputs = call_inputs_of(run);

	call_run(result, target, target->instance->module->descriptor.identifier.identify, &inputs);
}

static bool
needs_worker(const pipeline *run, size_t index)
{
	return run->findings[index].state == FINDING_CALLS &&
	       is_blocking(&run->policy->identifiers.items[index]);
}

/* Starts all that need a worker, so that they overlap with all others. */
static void
start_workers(pipeline *run)
{
	for (size_t i = 0; run->findings != NULL && i < run->policy->identifiers.count; i++) {
		if (!needs_worker(run, i))
			continue;
		/* Made here, where workers do not race for it. */
		view_deadline(&run->view);
		run->findings[i].job = blocking_start(run, i);
	}
	run->started = true;
}

/* Calls all that need no worker, then waits for those that do. */
static void
complete_findings(pipeline *run)
{
	const entry_list *list = &run->policy->identifiers;

	for (size_t i = 0; i < list->count; i++)
		if (run->findings[i].state == FINDING_CALLS && !is_blocking(&list->items[i]))
			call_now(run, &list->items[i], &run->findings[i].call);
	for (size_t i = 0; i < list->count; i++)
		if (needs_worker(run, i))
			blocking_collect(run, run->findings[i].job, &run->findings[i].call);
}

/* The words about an exception are pScheduler's, for what pScheduler cannot read either. */
static void
write_errors(pipeline *run)
{
	const entry_list *list = &run->policy->identifiers;
	bool first = true;

	for (size_t i = 0; run->errors != NULL && i < list->count; i++) {
		const identifier_error *error = &run->errors[i];

		if (error->text == NULL)
			continue;
		if (first)
			decision_say(run->decision, "Identifier diagnostics:");
		first = false;
		decision_line(run->decision, "",
		              error->operational ? "Identifier %s cannot tell: %s"
		                                 : "Identifier %s threw an exception:\n%s\n"
		                                   "Please report this as a bug.",
		              list->items[i].name, error->text);
	}
}

/* Is there a hint "requester" that is no address? */
static bool
is_requester_malformed(const limen_request *req)
{
	limen_network network;
	int result = limen_request_requester(req, &network);

	return result != LIMEN_OK && result != LIMEN_ENOENT;
}

/* Names the hint that no identifier can read, and what it is. */
static const char *
describe_requester(pipeline *run)
{
	limen_value hint = limen_value_get(limen_request_hints(&run->request), "requester");
	const char *text = limen_value_string(hint, NULL);
	char *said = text == NULL
	                     ? arena_printf(&run->decision->arena,
	                                    " (hint 'requester' is %s, not a string)",
	                                    value_type_words(limen_value_type(hint)))
	                     : arena_printf(&run->decision->arena, " (requester '%.100s')", text);

	return said == NULL ? "" : said;
}

/* Did something outside of the request fail, such as a server that does not answer? */
static bool
is_operational(const pipeline *run, const call *result, const entry *target)
{
	if (result->outside)
		return true;
	return (target->instance->flags & LIMEN_MODULE_WHOLE_REASONS) != 0 &&
	       !is_requester_malformed(&run->request);
}

bool
identify_blame(pipeline *run, const index_list *members)
{
	const entry_list *list = &run->policy->identifiers;
	bool malformed = is_requester_malformed(&run->request);
	size_t count = members == NULL ? list->count : members->count;

	for (size_t i = 0; run->errors != NULL && i < count; i++) {
		size_t index = members == NULL ? i : members->items[i];
		const identifier_error *error = &run->errors[index];

		if (error->text == NULL || (!error->operational && !malformed))
			continue;
		decision_blame(run->decision, list->items[index].name);
		decision_refuse(run->decision, 500, "identifier '%s' cannot tell: %s%s",
		                list->items[index].name, error->text,
		                error->operational ? "" : describe_requester(run));
		return true;
	}
	return false;
}

static void
take_error(pipeline *run, size_t index, const call *result)
{
	const entry_list *list = &run->policy->identifiers;

	if (run->errors == NULL)
		run->errors = arena_calloc(&run->decision->arena, list->count, sizeof(*run->errors));
	if (run->errors == NULL)
		run->decision->diagnostics.failed = true;
	else
		run->errors[index] = (identifier_error){ result->reply.reason,
			                                 is_operational(run, result, &list->items[index]) };
}

/* Takes what identifier 'index' said; 'result' is not to be used any more. */
static void
take(pipeline *run, size_t index, call *result)
{
	const entry *target = &run->policy->identifiers.items[index];

	call_record(run, target, LIMEN_KIND_IDENTIFIER, result);
	run->identified[index] = verdict_outcome(LIMEN_KIND_IDENTIFIER, result->verdict, target->invert);
	pipeline_count(run, target->rule, run->identified[index]);
	run->uncertain = run->uncertain || run->identified[index] == OUTCOME_UNKNOWN;
	if (result->verdict == LIMEN_ERROR)
		take_error(run, index, result);
	call_finish(result);
}

static OUTLINE void
take_findings(pipeline *run)
{
	if (!run->started)
		start_workers(run);
	complete_findings(run);
	for (size_t i = 0; i < run->policy->identifiers.count; i++)
		take(run, i, &run->findings[i].call);
}

static inline void
run_all(pipeline *run)
{
	const entry_list *list = &run->policy->identifiers;

	if (run->findings != NULL) {
		take_findings(run);
		return;
	}
	for (size_t i = 0; i < list->count; i++) {
		call result;

		call_now(run, &list->items[i], &result);
		take(run, i, &result);
	}
}

static bool
collect_names(pipeline *run)
{
	const entry_list *list = &run->policy->identifiers;
	arena *memory = &run->decision->arena;
	const char **items = arena_alloc(memory, list->count * sizeof(*items));
	size_t count = 0;

	if (items == NULL)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		if (run->identified[i] != OUTCOME_YES)
			continue;
		items[count] = arena_strdup(memory, list->items[i].name);
		if (items[count] == NULL)
			return false;
		count++;
	}
	run->decision->identifiers = (names){ items, count };
	run->view.identifiers = run->decision->identifiers;
	return true;
}

/*
 * Identifiers that wait may use half of the time that is left: otherwise none remained for
 * applications that do not need them.
 */
static inline void
in_half_the_time(pipeline *run, void (*step)(pipeline *run))
{
	view *state = &run->view;
	limen_duration timeout = state->timeout;
	limen_deadline deadline = state->deadline;
	int64_t now;

	if (deadline != INT64_MAX) {
		now = limen_host_monotonic();
		state->deadline = now + (deadline - now) / 2;
	}
	state->timeout = timeout / 2;
	step(run);
	/* An identifier made the deadline from half of the timeout: add the other half. */
	if (deadline == INT64_MAX && state->deadline != INT64_MAX)
		deadline = state->deadline + timeout / 2 * 1000;
	state->deadline = deadline;
	state->timeout = timeout;
}

/*
 * A task needs an identification, unless a classifier is for those without any and it is certain
 * that there is none.  Objects go on to the admission entries.
 */
static bool
go_on_unidentified(pipeline *run)
{
	decision_say(run->decision, "Made no identifications.");
	if (!run->uncertain && run->policy->classifies_strangers)
		return true;
	if (!run->uncertain || !identify_blame(run, NULL))
		decision_refuse(run->decision, verdict_code(run->uncertain, false),
		                "Made no identifications");
	return false;
}

bool
identify(pipeline *run)
{
	size_t count = run->policy->identifiers.count;
	arena *memory = &run->decision->arena;

	run->identified = arena_alloc(memory, count * sizeof(*run->identified));
	if (run->identified == NULL)
		return decision_no_memory(run->decision);
	if (run->waits)
		in_half_the_time(run, start_workers);
	wait_here(run);
	in_half_the_time(run, run_all);
	if (run->uncertain)
		write_errors(run);
	if (!collect_names(run))
		return decision_no_memory(run->decision);
	if (run->decision->identifiers.count > 0)
		decision_names(run->decision, "Identified as", &run->decision->identifiers);
	else if (run->request.subject->needs_identification)
		return go_on_unidentified(run);
	return true;
}
