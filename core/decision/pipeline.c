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
choose_stages(pipeline *run, const limen_decide_options *options)
{
	bool asks =
		options->rewrite == LIMEN_SWITCH_AUTO || options->prioritize == LIMEN_SWITCH_AUTO;
	bool is_run = asks && limen_request_is_run(&run->request);

	run->rewrite = switch_is_on(options->rewrite, !is_run);
	run->prioritize = switch_is_on(options->prioritize, is_run);
}

static void
decide_task(pipeline *run, const limen_decide_options *options)
{
	limen_type type = run->request.received_type;

	if (type != LIMEN_TYPE_OBJECT) {
		refuse_task(run, type);
		return;
	}
	choose_stages(run, options);
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

/* A request without a timeout gets the policy's. */
static void
choose_deadline(view *state, limen_duration timeout)
{
	if (state->deadline == INT64_MAX && timeout == 0)
		state->timeout = TIMEOUT_DEFAULT;
	else if (state->deadline == INT64_MAX)
		state->deadline = deadline_after(timeout);
}

void
pipeline_run(policy *under, pool *workers, const limen_request *req,
             const limen_decide_options *options, limen_decision *decision)
{
	pipeline run;

	memset(&run, 0, offsetof(pipeline, view));
	run.policy = under;
	run.workers = workers;
	run.decision = decision;
	view_start(req, &run.view, &decision->arena, &run.request);
	run.view.decision = decision;
	choose_deadline(&run.view, under->timeout);
	run.phase = req->subject == LIMEN_SUBJECT_TASK ? LIMEN_PHASE_BOTH : options->phase;
	/* The API server sends the same request again to validate it; tokens are taken then. */
	run.view.uncharged = run.phase == LIMEN_PHASE_MUTATE;
	decision->wants_diagnostics = options->diagnostics && req->subject == LIMEN_SUBJECT_TASK;
	decision->wants_trace = options->trace;
	decision->wants_origins = options->origins;
	if (req->subject == LIMEN_SUBJECT_TASK)
		decide_task(&run, options);
	else
		decide_object(&run);
	finish(&run);
}
