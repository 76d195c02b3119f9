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
	for (const text_item *item = messages->first; item != NULL; item = item->next)
		decision_line(run->decision, "", "  %s", item->text);
}

static bool
take_document(pipeline *run, call *result)
{
	limen_decision *decision = run->decision;
	bool failed;
	revision *revised = reply_take_revision(&result->reply, &failed);

	if (failed)
		return false;
	if (revised != NULL) {
		view_set_revision(&run->view, revised);
		decision->rewritten = revision_ref(revised);
	} else {
		decision->rewritten = revision_of(&decision->arena,
		                                  document_ref(run->request.received));
	}
	if (decision->rewritten != NULL)
		decision->patch = revision_patch(decision->rewritten, run->request.received);
	return decision->patch != NULL;
}

static bool
take_result(pipeline *run, call *result)
{
	outcome answer = verdict_outcome(LIMEN_KIND_REWRITER, result->verdict, false);

	if (answer != OUTCOME_YES)
		return refuse_rewrite(run, verdict_code(answer == OUTCOME_UNKNOWN, false),
		                      result->reply.reason == NULL ? "no reason given"
		                                                : result->reply.reason);
	/* LIMEN_SKIP: the rewriter's changes are ignored. */
	if (result->verdict == LIMEN_SKIP)
		return true;
	if (!take_document(run, result))
		return decision_no_memory(run->decision);
	if (limen_value_type(limen_request_document(&run->request)) != LIMEN_TYPE_OBJECT)
		return refuse_rewrite(run, 500, "the rewritten task is not an object");
	/* A change that the rewriter did not announce counts, too: the host runs that task. */
	if (result->reply.changed || !limen_value_equal(limen_request_original(&run->request),
	                                                limen_request_document(&run->request)))
		write_changes(run, &result->reply.messages);
	return true;
}

bool
rewrite(pipeline *run)
{
	const entry *target = run->policy->rewriter;
	call_inputs inputs = call_inputs_of(run);
	call result;
	bool good;

	inputs.may = REPLY_MAY_CHANGE;
	call_run(&result, target, target->instance->module->descriptor.rewriter.rewrite, &inputs);
	call_record(run, target, LIMEN_KIND_REWRITER, &result);
	good = take_result(run, &result);
	call_finish(&result);
	return good;
}
