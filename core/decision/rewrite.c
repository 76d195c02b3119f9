/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.c - calls the rewriter, which changes a task before limits see it.
 */
#include "pipeline.h"

static bool
refuse_rewrite(pipeline *run, int code, const char *why)
{
	return refuse_script(run, run->policy->rewriter, code, "Error while rewriting: ", why);
}

/* Only the first line of a message is indented. */
static void
write_changes(pipeline *run, const item_list *messages)
{
	decision_say(run->decision, "Rewriter made changes:");
	if (messages->count == 0)
		decision_say(run->decision, "  (Not enumerated)");
	for (const text_item *one = messages->first; one != NULL; one = one->next)
		decision_line(run->decision, "", "  %s", one->text);
}

/* A change that the rewriter did not announce counts, too: the host runs that task. */
static bool
is_changed(pipeline *run, const call *one)
{
	return one->reply.changed || !limen_value_equal(limen_request_original(&run->request),
	                                                limen_request_document(&run->request));
}

static bool
take_document(pipeline *run, call *one)
{
	limen_decision *decision = run->decision;
	bool failed;
	revision *made = reply_take_revision(&one->reply, &failed);

	if (failed)
		return false;
	if (made != NULL) {
		view_set_revision(&run->view, made);
		decision->rewritten = revision_ref(made);
	} else {
		decision->rewritten = revision_of(&decision->arena,
		                                  document_ref(run->request.received));
	}
	if (decision->rewritten != NULL)
		decision->patch = revision_patch(decision->rewritten, run->request.received);
	return decision->patch != NULL;
}

static bool
take_result(pipeline *run, call *one)
{
	outcome what = verdict_outcome(LIMEN_KIND_REWRITER, one->verdict, false);

	if (what != OUTCOME_YES)
		return refuse_rewrite(run, verdict_code(what == OUTCOME_UNKNOWN, false),
		                      one->reply.reason == NULL ? "no reason given"
		                                                : one->reply.reason);
	/* LIMEN_SKIP: the rewriter's changes are ignored. */
	if (one->verdict == LIMEN_SKIP)
		return true;
	if (!take_document(run, one))
		return decision_no_memory(run->decision);
	if (limen_value_type(limen_request_document(&run->request)) != LIMEN_TYPE_OBJECT)
		return refuse_rewrite(run, 500, "the rewritten task is not an object");
	if (is_changed(run, one))
		write_changes(run, &one->reply.messages);
	return true;
}

bool
rewrite(pipeline *run)
{
	const entry *target = run->policy->rewriter;
	call_inputs inputs = call_inputs_of(run);
	call one;
	bool good;

	inputs.may = REPLY_MAY_CHANGE;
	call_run(&one, target, target->instance->module->descriptor.rewriter.rewrite, &inputs);
	call_record(run, target, LIMEN_KIND_REWRITER, &one);
	good = take_result(run, &one);
	call_finish(&one);
	return good;
}
