/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_blocking.c - runs one identifier on a worker thread.
 *
 * The decision may give up waiting at its deadline and return to its caller while the
 * module still waits for the network.  The job therefore owns all data it uses: memory,
 * documents, the texts of the envelope, and a reference to the policy.
 */
#include <stdlib.h>
#include <string.h>

#include "pipeline.h"

struct blocking {
	pool_job *job;
	arena memory;
	pipeline run;
	const entry *target;
	bool traced;
	call call;
	hint_source hints;
};

static void
release(void *data)
{
	blocking *job = data;

	call_finish(&job->call);
	view_finish(&job->run.view);
	document_unref(job->run.request.received);
	document_unref(job->run.request.old);
	document_unref(atomic_load(&job->hints.made));
	document_unref(job->run.request.id);
	policy_unref(job->run.policy);
	arena_free(&job->memory);
	free(job);
}

static void
work(void *data)
{
	blocking *job = data;

	const call_inputs inputs = { .request = &job->run.request,
		                     .memory = &job->memory,
		                     .traced = job->traced };

	call_run(&job->call, job->target,
	         job->target->instance->module->descriptor.identifier.identify, &inputs);
}

/* The envelope's texts belong to the embedder, who may free them before the job is over. */
static bool
copy_texts(blocking *job)
{
	limen_request *req = &job->run.request;
	char **groups = arena_calloc(&job->memory, req->group_count + 1, sizeof(*groups));

	if (groups == NULL)
		return false;
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (req->fields[i] == NULL)
			continue;
		req->fields[i] = arena_strdup(&job->memory, req->fields[i]);
		if (req->fields[i] == NULL)
			return false;
	}
	for (size_t i = 0; i < req->group_count; i++) {
		groups[i] = arena_strdup(&job->memory, req->groups[i]);
		if (groups[i] == NULL)
			return false;
	}
	req->groups = groups;
	return true;
}

static void
hold_documents(limen_request *req)
{
	if (req->received != NULL)
		document_ref(req->received);
	if (req->old != NULL)
		document_ref(req->old);
	if (req->id != NULL)
		document_ref(req->id);
}

static blocking *
make_job(pipeline *run, size_t index)
{
	blocking *job = calloc(1, sizeof(*job));

	if (job == NULL)
		return NULL;
	/* Identifiers come before anything that changes the document. */
	pipeline_fork(run, &job->run, &job->memory, NULL);
	policy_ref(run->policy);
	job->target = &run->policy->identifiers.items[index];
	job->traced = run->decision->wants_trace;
	job->run.view.decision = NULL;
	hold_documents(&job->run.request);
	atomic_init(&job->hints.made, document_share(limen_request_hints(&run->request)));
	job->run.request.hints = &job->hints;
	if (!copy_texts(job) || atomic_load(&job->hints.made) == NULL) {
		release(job);
		return NULL;
	}
	return job;
}

blocking *
blocking_start(pipeline *run, size_t index)
{
	blocking *job = make_job(run, index);
	size_t limit = run->policy->workers > 0 ? (size_t)run->policy->workers : WORKERS_DEFAULT;

	if (job == NULL)
		return NULL;
	job->job = pool_submit(run->workers, limit, work, release, job);
	if (job->job == NULL) {
		release(job);
		return NULL;
	}
	return job;
}

/* Lists are copied: their items live in the job's memory. */
static bool
copy_lists(arena *memory, limen_reply *to, const limen_reply *from)
{
	for (const text_item *item = from->warnings.first; item != NULL; item = item->next)
		if (!text_list_add(&to->warnings, memory, arena_strdup(memory, item->text)))
			return false;
	for (const annotation_item *item = from->annotations.first; item != NULL; item = item->next)
		if (!annotation_list_add(&to->annotations, memory,
		                         arena_strdup(memory, item->annotation.key),
		                         arena_strdup(memory, item->annotation.value)))
			return false;
	return true;
}

static bool
copy_call(pipeline *run, const call *from, call *out)
{
	arena *memory = &run->decision->arena;

	reply_start(&out->reply, memory, &run->request);
	out->verdict = from->verdict;
	out->outside = from->outside;
	out->nanoseconds = from->nanoseconds;
	out->reply.retry_after = from->reply.retry_after;
	if (from->reply.reason != NULL) {
		out->reply.reason = arena_strdup(memory, from->reply.reason);
		if (out->reply.reason == NULL)
			return false;
		reply_take_room(&out->reply, strlen(out->reply.reason));
	}
	return reply_copy_notes(&out->reply, &from->reply.notes) &&
	       copy_lists(memory, &out->reply, &from->reply);
}

void
blocking_collect(pipeline *run, blocking *job, call *out)
{
	if (job == NULL) {
		call_give_up(run, out, "no worker was free to run it");
		return;
	}
	/* The copy is made before the job may be released. */
	if (!pool_wait(run->workers, job->job, run->view.deadline))
		call_give_up(run, out, call_too_late);
	else if (!copy_call(run, &job->call, out))
		call_give_up(run, out, limen_result_text(LIMEN_ENOMEM));
	pool_drop(run->workers, job->job);
}
