/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.c - who is asking.  All identifiers are evaluated, in file order as
 * far as anyone can tell; those that have to wait for the network run side by
 * side meanwhile (pScheduler adds their waits up).
 */
#include "pipeline.h"

/* How one identifier is evaluated. */
typedef struct evaluation {
	bool waits;    /* on a worker; else at once */
	blocking *job; /* NULL if no worker can be had */
} evaluation;

static bool
is_blocking(const entry *target)
{
	return (target->instance->flags & LIMEN_MODULE_BLOCKING) != 0;
}

/* A worker costs far more than an answer that is remembered. */
static bool
must_wait(pipeline *run, const entry *target, call *one)
{
	return is_blocking(target) &&
	       !call_identifier_now(one, target, &run->request, &run->decision->arena,
	                            run->decision->wants_trace);
}

/* Starts what has to wait first, so that it overlaps with everything else. */
static void
start_blocking(pipeline *run, call *calls, evaluation *how)
{
	const entry_list *list = &run->policy->identifiers;

	for (size_t i = 0; i < list->count; i++) {
		how[i].waits = must_wait(run, &list->items[i], &calls[i]);
		if (how[i].waits)
			how[i].job = blocking_start(run, i);
	}
}

static void
run_all(pipeline *run, call *calls, evaluation *how)
{
	const entry_list *list = &run->policy->identifiers;
	arena *memory = &run->decision->arena;

	start_blocking(run, calls, how);
	for (size_t i = 0; i < list->count; i++) {
		if (!is_blocking(&list->items[i]))
			call_identifier(&calls[i], &list->items[i], &run->request, memory,
			                run->decision->wants_trace);
	}
	for (size_t i = 0; i < list->count; i++) {
		if (how[i].waits)
			blocking_collect(run, how[i].job, &calls[i]);
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
	evaluation *how = arena_calloc(memory, count + 1, sizeof(*how));

	run->identified = arena_calloc(memory, count + 1, sizeof(*run->identified));
	if (calls == NULL || how == NULL || run->identified == NULL)
		return pipeline_no_memory(run);
	run_all(run, calls, how);
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
