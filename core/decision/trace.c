/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - the two lists of a trace: the calls of modules, with their notes and missed bounds,
 * and the steps between them.
 */
#include "pipeline.h"

/* ---- calls of modules ---- */

/* Bounds are reported for failures only, and only if all texts fit: a partial list misleads. */
static bool
tells_bounds(const entry *target, const call *result)
{
	return result->verdict == LIMEN_FAIL && !target->invert && !result->reply.untold;
}

/* Ends a cut list with a line that gives the number of missing items.  False: no memory. */
static bool
tell_rest(arena *memory, size_t more, const char *text, const char **items, size_t *used)
{
	if (more == 0)
		return true;
	items[*used] = arena_printf(memory, "%zu more %s", more, text);
	return items[(*used)++] != NULL;
}

static bool
take_notes(arena *memory, const entry *target, const call *result, limen_trace *out)
{
	const item_list *notes = &result->reply.notes;
	const char **items = arena_calloc(memory, notes->count + 3, sizeof(*items));
	size_t missed = tells_bounds(target, result) ? result->reply.bounds.more : 0;
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
take_bounds(arena *memory, const entry *target, const call *result, limen_trace *out)
{
	const item_list *bounds = &result->reply.bounds;

	if (bounds->count == 0 || !tells_bounds(target, result))
		return true;
	out->bounds = item_list_array(bounds, memory, sizeof(limen_bound));
	out->bound_count = bounds->count;
	return out->bounds != NULL;
}

bool
trace_add(pipeline *run, const entry *target, limen_kind kind, call *result)
{
	limen_decision *decision = run->decision;
	trace_item *item = item_list_add(&decision->trace, &decision->arena, sizeof(*item));
	arena *memory = &decision->arena;

	if (item == NULL)
		return false;
	item->trace = (limen_trace){
		.kind = kind,
		.type = arena_strdup(memory, target->type),
		.name = arena_strdup(memory, target->name),
		.verdict = result->verdict,
		.inverted = target->invert,
		.reason = result->reply.reason,
		.nanoseconds = result->nanoseconds,
		.file = target->file == NULL ? NULL : arena_strdup(memory, target->file),
		.line = target->line,
		.phase = result->phase,
		.application = kind == LIMEN_KIND_LIMIT ? run->application : 0,
		.group = kind == LIMEN_KIND_LIMIT ? run->group : 0,
		.retry_after = result->reply.retry_after,
		.observes = target->observes,
	};
	/* Were bounds dropped for lack of room?  cost_of() itself finds lists of TRACE_LISTED_MAX. */
	if (tells_bounds(target, result) && result->reply.bounds.more > 0 &&
	    result->reply.bounds.count < TRACE_LISTED_MAX)
		decision->bounds_untold = true;
	return take_notes(memory, target, result, &item->trace) &&
	       take_bounds(memory, target, result, &item->trace) && item->trace.type != NULL &&
	       item->trace.name != NULL;
}

/* ---- steps beside modules ---- */

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
step_add(pipeline *run, const limen_step *step, limen_value where)
{
	limen_decision *decision = run->decision;
	arena *memory = &decision->arena;
	place stands = { NULL, 0, 0 };
	step_item *item = item_list_add(&decision->steps, memory, sizeof(*item));

	if (item == NULL) {
		decision->diagnostics.failed = true;
		return NULL;
	}
	stands = value_place(where);
	item->step = *step;
	item->step.file = stands.file;
	item->step.line = stands.line;
	if (!copy_text(memory, &item->step.name) || !copy_text(memory, &item->step.classifier) ||
	    !copy_text(memory, &item->step.file))
		decision->diagnostics.failed = true;
	return &item->step;
}

void
step_end(limen_step *step, outcome result)
{
	if (step != NULL)
		step->verdict = outcome_verdict(result);
}
