/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_lint_runs.c - warns of rates that count tasks where nothing counts runs: a task that
 * repeats is counted once, and all its runs pass.
 */
#include <string.h>

#include "compile.h"
#include "module/module.h"

/* Inverted rates count nothing, and have a warning of their own. */
static bool
counts_tasks_only(const entry *limit)
{
	limen_value count = limen_value_get(limit->data, "count");

	return strcmp(limit->type, "rate") == 0 && !limit->invert &&
	       (!limen_value_exists(count) || limen_value_is(count, "tasks"));
}

/* Returns true if a limit of 'target' counts runs, or may: those of other types. */
static bool
counts_runs(const policy *made, const application *target)
{
	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++) {
			const entry *limit = &made->limits.items[list->items[k]];

			if (limit->instance->tables != NULL && !counts_tasks_only(limit))
				return true;
		}
	}
	return false;
}

/* Returns true if an application counts runs for all: its refusal is final. */
static bool
gate_counts_runs(const policy *made)
{
	for (size_t i = 0; i < made->application_count; i++)
		if (made->applications[i].stop_on_failure &&
		    counts_runs(made, &made->applications[i]))
			return true;
	return false;
}

/* Warns once for each limit; 'told' has a place for each. */
static void
warn_of(compile_context *context, const application *target, bool *told)
{
	for (size_t i = 0; i < target->group_count; i++) {
		const index_list *list = &target->groups[i].limits;

		for (size_t k = 0; k < list->count; k++) {
			const entry *limit = &context->policy->limits.items[list->items[k]];

			if (told[list->items[k]] || !counts_tasks_only(limit))
				continue;
			told[list->items[k]] = true;
			limen_diag_add(context->diag, LIMEN_SEVERITY_WARNING, limit->where,
			               "limit '%s' counts tasks only: a task that repeats is "
			               "counted once, and its runs are not",
			               limit->name);
			limen_diag_hint(context->diag,
			                "\"count\": \"both\" counts tasks and runs");
		}
	}
}

void
compile_lint_runs(compile_context *context)
{
	const policy *made = context->policy;
	bool *told = compile_alloc(context, made->limits.count + 1, sizeof *told);

	if (told == NULL || gate_counts_runs(made))
		return;
	for (size_t i = 0; i < made->application_count; i++)
		if (!counts_runs(made, &made->applications[i]))
			warn_of(context, &made->applications[i], told);
}
