/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_step.c - records the steps of a decision beside module calls, for the trace.
 */
#include "pipeline.h"

/* A decision outlives the policy. */
static bool
copy_text(arena *memory, const char **text)
{
	if (*text == NULL)
		return true;
	*text = arena_strdup(memory, *text);
	return *text != NULL;
}

limen_step *
step_begin(pipeline *run, const limen_step *what, limen_value where)
{
	limen_decision *decision = run->decision;
	arena *memory = &decision->arena;
	place stands = { NULL, 0, 0 };
	step_item *item;

	if (!decision->wants_trace)
		return NULL;
	item = arena_calloc(memory, 1, sizeof(*item));
	if (item == NULL) {
		decision->diagnostics.failed = true;
		return NULL;
	}
	stands = value_place(where);
	item->step = *what;
	item->step.file = stands.file;
	item->step.line = stands.line;
	if (!copy_text(memory, &item->step.name) || !copy_text(memory, &item->step.classifier) ||
	    !copy_text(memory, &item->step.file))
		decision->diagnostics.failed = true;
	*decision->steps_end = item;
	decision->steps_end = &item->next;
	decision->step_count++;
	return &item->step;
}

void
step_end(limen_step *step, outcome what)
{
	if (step != NULL)
		step->verdict = outcome_verdict(what);
}
