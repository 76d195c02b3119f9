/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.c - runs the stages of one decision in order.  It admits a request in accept() only;
 * finish() turns a decision that lacked memory into an error and returns reserved tokens.
 */
#include "pipeline.h"

#include <string.h>

#include "hints.h"
#include "module/module.h"
#include "reserve.h"

/* Refuses with 422, without asking the policy: the sender's task is malformed. */
static void
refuse_task(pipeline *run, limen_type type)
{
	const char *words = value_type_words(type);

	decision_refuse(run->decision, 422, "the task is not an object, but %s", words);
	decision_line(run->decision, "", "The task is not an object, but %s.", words);
}

static bool
switch_is_on(limen_switch wanted, bool automatic)
{
	return wanted == LIMEN_SWITCH_AUTO ? automatic : wanted == LIMEN_SWITCH_ON;
}

static void
accept(pipeline *run)
{
	run->decision->admitted = true;
	run->decision->code = 200;
	/* An application that failed before another one passed may have set it. */
	run->decision->retry_after = -1;
}

/* By default tasks are rewritten and runs are prioritized; the caller's options override that. */
static void
choose_stages(pipeline *run)
{
	const limen_decide_options *options = run->options;
	bool asks =
		options->rewrite == LIMEN_SWITCH_AUTO || options->prioritize == LIMEN_SWITCH_AUTO;
	bool is_run = asks && limen_request_is_run(&run->request);

	run->rewrite = switch_is_on(options->rewrite, !is_run);
	run->prioritize = switch_is_on(options->prioritize, is_run);
}

static void
decide_task(pipeline *run)
{
	limen_type type = run->request.received_type;

	if (type != LIMEN_TYPE_OBJECT) {
		refuse_task(run, type);
		return;
	}
	choose_stages(run);
	hints_write(run->decision, limen_request_hints(&run->request));
	if (identify(run) && classify(run) && rewrite(run) &&
	    (!run->policy->admission_of_tasks || admit(run)) && apply(run) && prioritize(run))
		accept(run);
}

/* A DELETE request may come without the object. */
static bool
is_deletion(const pipeline *run)
{
	const char *operation = limen_request_field(&run->request, LIMEN_FIELD_OPERATION);
	limen_type type = run->request.received_type;

	return operation != NULL && strcmp(operation, "DELETE") == 0 &&
	       (type == LIMEN_TYPE_NULL || type == LIMEN_TYPE_NONE);
}

/* Objects are decided by admission entries; without entries nothing could admit them. */
static void
decide_object(pipeline *run)
{
	const policy *under = run->policy;

	if (!under->decides_objects) {
		decision_refuse(run->decision, 500, "the policy has no admission section, so it "
		                                    "cannot decide about objects");
		return;
	}
	if (run->request.received_type != LIMEN_TYPE_OBJECT && !is_deletion(run)) {
		decision_refuse(run->decision, 500, "the value to admit is not an object");
		return;
	}
	if (under->classifies_objects && !(identify(run) && classify(run)))
		return;
	wait_here(run);
	if (!admit(run))
		return;
	run->decision->reason = "no admission entry refuses it";
	if (!under->applies_to_objects || run->phase == LIMEN_PHASE_MUTATE || apply(run))
		accept(run);
}

/*
 * Returns false if an admitted task lacks its rewritten document, because memory was short:
 * the caller would run the task as received.
 */
static bool
has_task(const pipeline *run)
{
	revision *rewritten = run->decision->rewritten;

	return run->request.subject != LIMEN_SUBJECT_TASK || !run->decision->admitted ||
	       rewritten == NULL || revision_document(rewritten) != NULL;
}

static void
finish(pipeline *run)
{
	limen_decision *decision = run->decision;
	bool sealed = decision_seal(decision);

	if (run->view.failed || !sealed || !has_task(run))
		decision_no_memory(run->decision);
	if (!decision->admitted && decision->reservations != NULL)
		store_give_back(decision, NULL, view_bucket_time(&run->view));
	decision->reservations = NULL;
	view_finish(&run->view);
}

/* A request without a timeout gets the policy's; the host's own bound holds for all. */
static void
choose_deadline(view *state, limen_duration timeout, const limen_decide_options *options)
{
	bool unbounded = state->deadline == INT64_MAX;
	limen_deadline end = INT64_MAX;

	if (options->timeout > 0) {
		if (options->timeout < (INT64_MAX - options->since) / 1000)
			end = options->since == 0 ? deadline_after(options->timeout)
			                          : options->since + options->timeout * 1000;
		state->deadline = end < state->deadline ? end : state->deadline;
		state->share = options->timeout / 2;
	} else if (unbounded && timeout == 0) {
		state->timeout = TIMEOUT_DEFAULT;
		state->share = TIMEOUT_DEFAULT / 2;
	} else if (unbounded && timeout > 0) {
		state->deadline = deadline_after(timeout);
		state->share = timeout / 2;
	}
}

void
pipeline_begin(pipeline *run, policy *under, pool *workers, const limen_request *req,
               const limen_decide_options *options, limen_decision *decision, limen_waker *waker)
{
	bool is_task = req->subject == LIMEN_SUBJECT_TASK;

	memset(run, 0, offsetof(pipeline, view));
	run->options = options;
	run->policy = under;
	run->workers = workers;
	run->decision = decision;
	view_start(req, &run->view, &decision->arena, &run->request);
	run->view.decision = decision;
	run->view.waker = waker;
	choose_deadline(&run->view, under->timeout, options);
	run->phase = is_task ? LIMEN_PHASE_BOTH : options->phase;
	/* The API server sends the same request again to validate it; tokens are taken then. */
	run->view.uncharged = run->phase == LIMEN_PHASE_MUTATE;
	decision->wants_diagnostics = options->diagnostics && is_task;
	decision->wants_trace = options->trace;
	decision->wants_origins = options->origins;
	if (is_task && req->received_type != LIMEN_TYPE_OBJECT)
		return;
	if (!wait_prepare(run))
		run->view.failed = true;
	else
		run->waits = wait_round(run);
}

void
pipeline_end(pipeline *run)
{
	if (run->view.failed)
		decision_no_memory(run->decision);
	else if (run->request.subject == LIMEN_SUBJECT_TASK)
		decide_task(run);
	else
		decide_object(run);
	finish(run);
}
