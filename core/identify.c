/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.c - who is asking.  All identifiers are evaluated, in file order as
 * far as anyone can tell; those that may wait for the network run side by side
 * meanwhile (pScheduler adds their waits up).
 */
#include "pipeline.h"

static bool
is_blocking(const entry *target)
{
	return (target->instance->flags & LIMEN_MODULE_BLOCKING) != 0;
}

/* Starts what may wait first, so that it overlaps with everything else. */
static void
start_blocking(pipeline *run, blocking **jobs)
{
	const entry_list *list = &run->policy->identifiers;

	for (size_t i = 0; i < list->count; i++) {
		if (is_blocking(&list->items[i]))
			jobs[i] = blocking_start(run, i);
	}
}

static void
run_all(pipeline *run, call *calls, blocking **jobs)
{
	const entry_list *list = &run->policy->identifiers;
	arena *memory = &run->decision->arena;

	start_blocking(run, jobs);
	for (size_t i = 0; i < list->count; i++) {
		if (!is_blocking(&list->items[i]))
			call_identifier(&calls[i], &list->items[i], &run->request, memory,
			                run->decision->wants_trace);
	}
	for (size_t i = 0; i < list->count; i++) {
		if (is_blocking(&list->items[i]))
			blocking_collect(run, jobs[i], &calls[i]);
	}
}

/* The text is pScheduler's; it makes operators look at the module, which is right. */
static void
write_errors(pipeline *run, const call *calls)
{
	const entry_list *list = &run->policy->identifiers;
	bool first = true;

	for (size_t i = 0; i < list->count; i++) {
		if (calls[i].verdict != LIMEN_ERROR)
			continue;
		if (first)
			decision_line(run->decision, "", "Identifier diagnostics:");
		first = false;
		decision_line(run->decision, "",
		              "Identifier %s threw an exception:\n%s\nPlease report this as a bug.",
		              list->items[i].name, calls[i].reply.reason);
	}
}

/* SKIP means that what the identifier looks at is not there: not identified, for certain. */
static outcome
settle(const call *one, const entry *target)
{
	return one->verdict == LIMEN_SKIP ? OUTCOME_NO : call_outcome(one, target);
}

static bool
collect_names(pipeline *run, const call *calls)
{
	const entry_list *list = &run->policy->identifiers;
	arena *memory = &run->decision->arena;
	const char **items = arena_calloc(memory, list->count + 1, sizeof(*items));
	size_t count = 0;

	if (items == NULL)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		call_record(run, &list->items[i], LIMEN_KIND_IDENTIFIER, &calls[i]);
		run->identified[i] = settle(&calls[i], &list->items[i]);
		run->uncertain = run->uncertain || run->identified[i] == OUTCOME_UNKNOWN;
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

bool
identify(pipeline *run)
{
	size_t count = run->policy->identifiers.count;
	arena *memory = &run->decision->arena;
	call *calls = arena_calloc(memory, count + 1, sizeof(*calls));
	blocking **jobs = arena_calloc(memory, count + 1, sizeof(blocking *));

	run->identified = arena_calloc(memory, count + 1, sizeof(*run->identified));
	if (calls == NULL || jobs == NULL || run->identified == NULL)
		return pipeline_no_memory(run);
	run_all(run, calls, jobs);
	write_errors(run, calls);
	if (!collect_names(run, calls))
		return pipeline_no_memory(run);
	for (size_t i = 0; i < count; i++)
		call_finish(&calls[i]);
	/* Objects are not for those alone whom the policy knows: see pipeline.c. */
	if (run->decision->identifiers.count == 0 && run->request.subject == LIMEN_TASK) {
		decision_refuse(run->decision, run->uncertain ? 500 : 403,
		                "Made no identifications");
		decision_line(run->decision, "", "Made no identifications.");
		return false;
	}
	decision_names(run->decision, "Identified as", &run->decision->identifiers);
	return true;
}
