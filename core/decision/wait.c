/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.c - asks identifiers and admission entries that need answers of other systems, in rounds:
 * each round asks all that still wait, and starts their lookups.  The next follows when a lookup
 * has ended, or somebody's time is over.
 */
#include <limen/host.h>

#include "base/compiler.h"
#include "waker.h"
#include "workload.h"

static limen_deadline
earlier(limen_deadline a, limen_deadline b)
{
	return a < b ? a : b;
}

/* When half of the time is over that the request itself gives. */
static limen_deadline
find_cut(pipeline *run)
{
	limen_duration half = run->request.timeout / 2;

	return half > 0 ? view_after(&run->view, half) : INT64_MAX;
}

bool
wait_prepare(pipeline *run)
{
	const policy *under = run->policy;
	arena *memory = &run->decision->arena;

	run->view.entries = under->identifiers.count + under->admission.count;
	if (under->identifiers.blocking && pipeline_wants(run, identify)) {
		run->findings = arena_calloc(memory, under->identifiers.count,
		                             sizeof(*run->findings));
		if (run->findings == NULL)
			return false;
	}
	if (under->admission.blocking && pipeline_wants(run, admit)) {
		run->unready = arena_calloc(memory, under->admission.count, sizeof(*run->unready));
		run->classified = arena_calloc(memory, under->classifier_count + 1,
		                               sizeof(*run->classified));
		if (run->unready == NULL || run->classified == NULL)
			return false;
	}
	return true;
}

static void
find_late(pipeline *run, finding *found)
{
	call_give_up(run, &found->call, call_too_late);
	found->state = FINDING_MADE;
}

/*
 * Begins to ask entry 'index' of all; false if it waits, and nothing has come for it before its
 * 'patience' is over.
 */
static bool
begin_call(pipeline *run, const entry *target, size_t index, limen_deadline patience, int64_t now)
{
	view *state = &run->view;

	if (!sleeper_takes(state->sleeper, index) && patience > now) {
		run->due = earlier(run->due, patience);
		return false;
	}
	atomic_store_explicit(&run->activity.current, target, memory_order_release);
	state->asked = index + 1;
	state->took_waker = false;
	state->patience = INT64_MAX;
	return true;
}

/* When the last answer may come: modules are asked once more then, the cut ends all before. */
static limen_deadline
find_end(pipeline *run)
{
	view *state = &run->view;

	return state->share > 0 ? earlier(state->deadline, view_after(state, state->share))
	                        : state->deadline;
}

/*
 * Notes what the module that was just asked did; true if it waits: it has the waker of this
 * call, or of one before.
 */
static bool
note_wait(pipeline *run, limen_deadline *patience, int64_t now)
{
	const view *state = &run->view;

	if (!state->took_waker && *patience == 0)
		return false;
	*patience = earlier(state->patience > now ? state->patience : INT64_MAX, find_end(run));
	run->due = earlier(run->due, *patience);
	return true;
}

static bool
ask_identifier(pipeline *run, size_t index, int64_t now)
{
	const call_inputs inputs = call_inputs_of(run);
	const entry *target = &run->policy->identifiers.items[index];
	finding *found = &run->findings[index];

	if (found->state != FINDING_NONE && found->state != FINDING_WAITS)
		return false;
	if (!begin_call(run, target, index, found->patience, now))
		return true;
	found->state = FINDING_MADE;
	if (call_identifier_now(&found->call, target, &inputs))
		return false;
	found->state = note_wait(run, &found->patience, now) ? FINDING_WAITS : FINDING_CALLS;
	return found->state == FINDING_WAITS;
}

/* Does the entry need no answer for the request?  For a workload, its first pod is asked about. */
static bool
is_ready(pipeline *run, const turn *current, const limen_admission_module *methods)
{
	const limen_request whole = run->request;
	bool ready;

	if (run->workload != NULL && run->workload->count > 0) {
		run->request = run->workload->items[0].request;
		run->request.view = &run->view;
	}
	ready = !turn_applies(run, current) ||
	        methods->ready(current->target->instance->self, &run->request);
	run->request = whole;
	return ready;
}

static bool
ask_entry(pipeline *run, size_t index, int64_t now)
{
	turn current = turn_of(run, index, PHASE_VALIDATE);
	const instance *inst = current.target->instance;
	const limen_admission_module *methods = &inst->module->descriptor.admission;
	limen_deadline *patience = &run->unready[index];

	/* Only those are asked again that wait. */
	if (now > 0 && *patience == 0)
		return false;
	if (!begin_call(run, current.target, run->policy->identifiers.count + index, *patience, now))
		return true;
	activity_set(current.target);
	if (methods->ready == NULL ||
	    (inst->flags & (LIMEN_MODULE_LOOKUPS | LIMEN_MODULE_SERIALIZE)) != LIMEN_MODULE_LOOKUPS ||
	    is_ready(run, &current, methods) ||
	    !note_wait(run, patience, now))
		*patience = 0;
	activity_set(NULL);
	return *patience != 0;
}

/* Ends all waits. */
static void
end_waits(pipeline *run)
{
	for (size_t i = 0; run->findings != NULL && i < run->policy->identifiers.count; i++)
		if (run->findings[i].state == FINDING_WAITS)
			find_late(run, &run->findings[i]);
	run->unready = NULL;
}

/* Returns the last entry that waits, or NULL. */
static const entry *
ask_all(pipeline *run, int64_t now)
{
	const policy *under = run->policy;
	const entry *waits = NULL;

	run->due = INT64_MAX;
	for (size_t i = 0; run->findings != NULL && i < under->identifiers.count; i++)
		if (ask_identifier(run, i, now))
			waits = &under->identifiers.items[i];
	for (size_t i = 0; run->unready != NULL && i < under->admission.count; i++)
		if (ask_entry(run, i, now))
			waits = &under->admission.items[i];
	run->view.asked = 0;
	atomic_store_explicit(&run->activity.current, waits, memory_order_release);
	return waits;
}

bool
wait_round(pipeline *run)
{
	int64_t now = run->due == 0 ? 0 : limen_host_monotonic();

	if (run->findings == NULL && run->unready == NULL)
		return false;
	/* The first round of most decisions finds all answers, and needs no clock. */
	if ((now == 0 || now < find_cut(run)) && ask_all(run, now) != NULL) {
		run->due = earlier(run->due, find_cut(run));
		if (now < find_end(run))
			return true;
	}
	end_waits(run);
	return false;
}

OUTLINE void
wait_here(pipeline *run)
{
	while (run->waits) {
		sleeper_wait(run->view.sleeper, run->due);
		run->waits = wait_round(run);
	}
}
