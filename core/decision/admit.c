/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admit.c - the admission chain: all matching entries change the document in
 * order, then all check it, as the plugins of kube-apiserver do.  The first entry
 * that refuses ends the chain, so later entries take no tokens.  An entry that only
 * observes changes its own copy.
 */
#include "admit_question.h"

/* Does the entry, which only observes, check a copy that it has changed? */
static bool
is_rehearsed(const pipeline *run, const question *asked)
{
	const limen_admission_module *methods = &asked->target->instance->module->descriptor.admission;

	return asked->rule->enforce != ENFORCE_DENY && run->phase != LIMEN_PHASE_MUTATE &&
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

static void
drop_starts(pipeline *run)
{
	for (size_t i = 0; run->starts != NULL && i < run->policy->admission.count; i++)
		revision_unref(run->starts[i]);
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
		question asked = question_of(apart, i, PHASE_MUTATE);

		if (asked.rule->enforce == ENFORCE_DENY && question_has_method(&asked) &&
		    question_applies(apart, &asked))
			question_change(apart, &asked);
	}
	apart->view.uncharged = apart->phase == LIMEN_PHASE_MUTATE;
}

static bool
ask_apart(pipeline *apart, size_t index)
{
	question mutate = question_of(apart, index, PHASE_MUTATE);
	question check = question_of(apart, index, PHASE_VALIDATE);

	if (question_begin(apart, &mutate) && !question_ask(apart, &mutate))
		return false;
	if (mutate.ended)
		return true;
	change_behind(apart, index);
	return !question_begin(apart, &check) || question_ask(apart, &check);
}

/* Asks an entry that only observes, so that it reports exactly the violations it would refuse. */
static bool
rehearse(pipeline *run, size_t index)
{
	pipeline apart;
	revision *start = run->starts == NULL ? NULL : run->starts[index];
	bool good;

	/* All see the same times. */
	view_now(&run->view);
	view_bucket_time(&run->view);
	apart = *run;
	apart.rehearses = true;
	apart.request.view = &apart.view;
	apart.view.attachments = NULL;
	apart.view.before = NULL;
	apart.view.newest = start == NULL ? NULL : revision_ref(start);
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
		question asked = question_of(run, i, which);
		bool good = true;

		if (!question_has_method(&asked))
			continue;
		if (is_rehearsed(run, &asked)) {
			good = which == PHASE_MUTATE ? note_start(run, i) : rehearse(run, i);
		} else {
			good = !question_begin(run, &asked) || question_ask(run, &asked);
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

bool
admit(pipeline *run)
{
	unsigned before = limen_request_generation(&run->request);
	bool mutates = run->policy->changes_objects && run->phase != LIMEN_PHASE_VALIDATE;
	bool good;

	wait_here(run);
	good = (!mutates || run_phase(run, PHASE_MUTATE)) &&
	       (run->phase == LIMEN_PHASE_MUTATE || run_phase(run, PHASE_VALIDATE));

	drop_starts(run);
	if (limen_request_generation(&run->request) == before)
		return good;
	return take_document(run) && good;
}
