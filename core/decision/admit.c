/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admit.c - the admission chain: all matching entries change the document in
 * order, then all check it, as the plugins of kube-apiserver do.  The first entry
 * that refuses ends the chain, so later entries take no tokens.  An entry that only
 * observes changes its own copy.
 */
#include "workload.h"

/* Does the entry, which only observes, check a copy that it has changed? */
static bool
is_rehearsed(const pipeline *run, const turn *current)
{
	const limen_admission_module *methods = &current->target->instance->module->descriptor.admission;

	return current->rule->enforce != ENFORCE_DENY && run->phase != LIMEN_PHASE_MUTATE &&
	       methods->mutate != NULL && methods->validate != NULL;
}

/* Keeps the object as it comes to an entry that only observes.  False: no memory. */
static bool
note_start(pipeline *run, size_t index)
{
	if (run->starts == NULL)
		run->starts = arena_calloc(&run->decision->arena, run->policy->admission.count,
		                           sizeof(*run->starts));
	if (run->starts == NULL)
		return decision_no_memory(run->decision);
	run->starts[index] = run->view.newest == NULL ? NULL : revision_ref(run->view.newest);
	return true;
}

/* Lets later entries change the rehearsed entry's copy; the chain has asked them already. */
static void
change_behind(pipeline *apart, size_t index)
{
	/* They take tokens in the chain itself, not a second time here. */
	apart->view.uncharged = true;
	/* A validating webhook is given an object that they have changed already. */
	for (size_t i = index + 1; apart->phase == LIMEN_PHASE_BOTH &&
	                           i < apart->policy->admission.count; i++) {
		turn current = turn_of(apart, i, PHASE_MUTATE);

		if (current.rule->enforce == ENFORCE_DENY && turn_has_method(&current) &&
		    turn_applies(apart, &current))
			turn_change(apart, &current);
	}
	apart->view.uncharged = apart->phase == LIMEN_PHASE_MUTATE;
}

static bool
ask_apart(pipeline *apart, size_t index)
{
	turn mutate = turn_of(apart, index, PHASE_MUTATE);
	turn check = turn_of(apart, index, PHASE_VALIDATE);

	if (turn_begin(apart, &mutate) && !turn_ask(apart, &mutate))
		return false;
	if (mutate.ended)
		return true;
	change_behind(apart, index);
	return !turn_begin(apart, &check) || turn_ask(apart, &check);
}

/* Asks an entry that only observes, so that it reports exactly the violations it would refuse. */
static bool
rehearse(pipeline *run, size_t index)
{
	pipeline apart;
	revision *start = run->starts == NULL ? NULL : run->starts[index];
	bool good;

	pipeline_fork(run, &apart, run->view.arena, start == NULL ? NULL : revision_ref(start));
	apart.rehearses = true;
	apart.view.generation = start == NULL ? 0 : run->view.generation;
	good = ask_apart(&apart, index);
	run->view.failed = run->view.failed || apart.view.failed;
	view_finish(&apart.view);
	return good;
}

static bool
run_phase(pipeline *run, phase which)
{
	for (size_t i = 0; i < run->policy->admission.count; i++) {
		turn current = turn_of(run, i, which);
		bool good = true;

		if (!turn_has_method(&current))
			continue;
		if (is_rehearsed(run, &current)) {
			good = which == PHASE_MUTATE ? note_start(run, i) : rehearse(run, i);
		} else {
			good = !turn_begin(run, &current) || turn_ask(run, &current);
		}
		if (!good)
			return false;
	}
	return true;
}

/* Makes the patch once, from the received to the newest document; none if they are equal. */
static bool
take_document(pipeline *run)
{
	limen_decision *decision = run->decision;
	revision *newest = run->view.newest;
	document *patch = newest == NULL ? NULL : revision_patch(newest, run->request.received);

	if (patch == NULL)
		return decision_no_memory(run->decision);
	if (decision->rewritten == NULL && limen_value_count(document_root(patch)) == 0) {
		document_unref(patch);
		return true;
	}
	revision_unref(decision->rewritten);
	document_unref(decision->patch);
	decision->rewritten = revision_ref(newest);
	decision->patch = patch;
	return true;
}

/* Asks all entries, in both halves or in that of the phase. */
static bool
run_chain(pipeline *run)
{
	bool mutates = run->policy->changes_objects && run->phase != LIMEN_PHASE_VALIDATE;
	bool good = (!mutates || run_phase(run, PHASE_MUTATE)) &&
	            (run->phase == LIMEN_PHASE_MUTATE || run_phase(run, PHASE_VALIDATE));

	for (size_t i = 0; run->starts != NULL && i < run->policy->admission.count; i++)
		revision_unref(run->starts[i]);
	return good;
}

bool
admit(pipeline *run)
{
	unsigned before = limen_request_generation(&run->request);
	bool good;

	if (run->waits)
		wait_here(run);
	if (run->phase == LIMEN_PHASE_WORKLOAD)
		return workload_admit(run, run_chain);
	good = run_chain(run);
	if (limen_request_generation(&run->request) == before)
		return good;
	return take_document(run) && good;
}
