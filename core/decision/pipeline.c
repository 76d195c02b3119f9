/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.c - the table of subjects, and the stages of one decision in order.  It admits a request
 * in accept() only; finish() turns a decision that lacked memory into an error and returns
 * reserved tokens.
 */
#include "pipeline.h"

#include <ctype.h>
#include <string.h>

#include "base/thread.h"
#include "base/compiler.h"
#include "hints.h"
#include "reader/reader.h"
#include "reserve.h"
#include "workload.h"

bool
pipeline_switch(const pipeline *run, uint32_t wanted, bool for_runs)
{
	limen_value task = limen_request_original(&run->request);

	if (wanted != LIMEN_SWITCH_AUTO)
		return wanted == LIMEN_SWITCH_ON;
	return run->request.subject->id != LIMEN_SUBJECT_TASK ||
	       limen_value_exists(limen_value_get(task, "run_schedule")) == for_runs;
}

static void
accept(pipeline *run)
{
	run->decision->admitted = true;
	run->decision->code = 200;
	/* An application that failed before another one passed may have set it. */
	run->decision->retry_after = -1;
}

/* A DELETE request may come without the object. */
static inline bool
has_fit_value(const pipeline *run)
{
	const subject_row *row = run->request.subject;
	unsigned type = 1U << run->request.received_type;
	const char *operation = run->request.fields[LIMEN_FIELD_OPERATION];

	return (row->types & type) != 0 ||
	       ((row->deleted_types & type) != 0 && operation != NULL &&
	        strcmp(operation, "DELETE") == 0);
}

static OUTLINE bool
refuse_value(pipeline *run)
{
	const subject_row *row = run->request.subject;
	const char *type = row->unfit_names_type ? value_type_words(run->request.received_type) : "";

	decision_refuse(run->decision, row->unfit_code, "%s%s", row->unfit, type);
	decision_line(run->decision, "", "%c%s%s.", toupper((unsigned char)row->unfit[0]),
	              row->unfit + 1, type);
	return false;
}

bool
check_value(pipeline *run)
{
	return has_fit_value(run) || refuse_value(run);
}

static bool
begin_task(pipeline *run)
{
	if (!check_value(run))
		return false;
	if (run->decision->wants_diagnostics)
		hints_write(run->decision, limen_request_hints(&run->request));
	return true;
}

/* Objects are decided by admission entries; without entries nothing could admit them. */
static bool
begin_object(pipeline *run)
{
	if (!run->policy->decides_objects) {
		decision_refuse(run->decision, 500, "the policy has no admission section, so it "
		                                    "cannot decide about objects");
		return false;
	}
	/* Unless a stage replaces it. */
	run->decision->reason = "no admission entry refuses it";
	return check_value(run);
}

/* Returns the name of a header that rules read as one text, if it came several times; or NULL. */
static const char *
find_repeated_header(const pipeline *run)
{
	const char *const *name = run->policy->needs.headers;
	limen_value headers;

	if (*name == NULL)
		return NULL;
	headers = limen_value_get(limen_request_document(&run->request), "headers");
	while (*name != NULL &&
	       limen_value_type(limen_value_get(headers, *name)) != LIMEN_TYPE_ARRAY)
		name++;
	return *name;
}

/* Refuses what is malformed, as far as the policy reads it, before rules see it. */
static bool
check_http(pipeline *run)
{
	unsigned parts = run->policy->needs.parts;
	const char *repeated = find_repeated_header(run);

	if (repeated != NULL)
		decision_refuse(run->decision, 400, "header '%s' came several times", repeated);
	else if (run->request.ambiguous && !run->policy->raw_paths && (parts & LIMEN_HTTP_PATH) != 0)
		decision_refuse(run->decision, 400, "ambiguous path");
	else if (run->request.requester_result == LIMEN_ENOENT && (parts & LIMEN_HTTP_CLIENT) != 0)
		decision_refuse(run->decision, 400, "the address of the client is not known");
	else
		return true;
	return false;
}

/* Without applications nothing could admit the request. */
static bool
begin_http(pipeline *run)
{
	if (!check_value(run))
		return false;
	if (run->policy->application_count > 0 && run->policy->applies_to_http)
		return check_http(run);
	decision_refuse(run->decision, 500,
	                run->policy->application_count == 0
	                        ? "the policy has no applications, so it cannot decide about HTTP "
	                          "requests"
	                        : "the applications of the policy are not for HTTP requests: "
	                          "\"applications-on\" does not list \"http\"");
	return false;
}

static bool
prioritizes(const pipeline *run)
{
	return run->policy->prioritizer != NULL;
}

static bool
admits_tasks(const pipeline *run)
{
	return run->policy->admission_of_tasks;
}

static bool
classifies_objects(const pipeline *run)
{
	return run->policy->classifies_objects;
}

static bool
applies_to_objects(const pipeline *run)
{
	return run->policy->applies_to_objects && run->phase != LIMEN_PHASE_MUTATE &&
	       run->phase != LIMEN_PHASE_WORKLOAD;
}

static bool
rewrites(const pipeline *run)
{
	return run->policy->rewriter != NULL && pipeline_switch(run, run->options->rewrite, false);
}

static const stage task_stages[] = {
	{ begin_task, NULL },    { identify, NULL }, { classify, NULL },   { rewrite, rewrites },
	{ admit, admits_tasks }, { apply, NULL },    { prioritize, NULL }, { NULL, NULL },
};

static const stage object_stages[] = {
	{ begin_object, NULL },           { identify, classifies_objects },
	{ classify, classifies_objects }, { admit, NULL },
	{ apply, applies_to_objects },    { NULL, NULL },
};

static const stage http_stages[] = {
	{ begin_http, NULL }, { identify, NULL },           { classify, NULL },
	{ apply, NULL },      { prioritize, prioritizes }, { NULL, NULL },
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

_Static_assert(COUNT(task_stages) == 8 && COUNT(object_stages) == 6, "pass_known() passes all");

static const subject_row subjects[] = {
	/* pScheduler reads tasks with Python's json and drops comments; Kubernetes does neither. */
	[LIMEN_SUBJECT_TASK] = {
		.id = LIMEN_SUBJECT_TASK,
		.read_flags = READ_COMMENTS | READ_NAN,
		.stages = task_stages,
		.types = 1U << LIMEN_TYPE_OBJECT,
		.unfit_code = 422,
		.unfit = "the task is not an object, but ",
		.unfit_names_type = true,
		.needs_identification = true,
		.has_report = true,
		.has_priority = true,
		.needs_document = true,
	},
	[LIMEN_SUBJECT_OBJECT] = {
		.id = LIMEN_SUBJECT_OBJECT,
		.stages = object_stages,
		.types = 1U << LIMEN_TYPE_OBJECT,
		.deleted_types = 1U << LIMEN_TYPE_NULL | 1U << LIMEN_TYPE_NONE,
		.unfit_code = 500,
		.unfit = "the value to admit is not an object",
		.has_phases = true,
		.is_resource = true,
	},
	[LIMEN_SUBJECT_HTTP] = {
		.id = LIMEN_SUBJECT_HTTP,
		.stages = http_stages,
		.types = 1U << LIMEN_TYPE_OBJECT,
		.unfit_code = 400,
		.unfit = "the HTTP request is not an object, but ",
		.unfit_names_type = true,
		.tells_quotas = true,
	},
};

const subject_row *
subject_find(limen_subject id)
{
	return (unsigned)id < sizeof(subjects) / sizeof(subjects[0]) ? &subjects[id] : NULL;
}

bool
pipeline_wants(const pipeline *run, stage_method *wanted)
{
	const stage *next = run->request.subject->stages;

	while (next->run != NULL && next->run != wanted)
		next++;
	return next->run != NULL && (next->is_wanted == NULL || next->is_wanted(run));
}

static ALWAYS_INLINE bool
pass(pipeline *run, const stage *next)
{
	return (next->is_wanted != NULL && !next->is_wanted(run)) || next->run(run);
}

/* The loop of decide(), unrolled: of a list that the compiler knows, it becomes plain calls. */
static ALWAYS_INLINE bool
pass_known(pipeline *run, const stage *list, size_t count)
{
	return pass(run, &list[0]) && pass(run, &list[1]) && pass(run, &list[2]) &&
	       pass(run, &list[3]) && pass(run, &list[4]) &&
	       (count <= 5 || pass(run, &list[5])) && (count <= 6 || pass(run, &list[6]));
}

static bool
decide(pipeline *run)
{
	const stage *next = run->request.subject->stages;

	if (next == task_stages)
		return pass_known(run, task_stages, COUNT(task_stages) - 1);
	if (next == object_stages)
		return pass_known(run, object_stages, COUNT(object_stages) - 1);
	while (next->run != NULL && pass(run, next))
		next++;
	return next->run == NULL;
}

/*
 * Returns false if an admitted task lacks its rewritten document, because memory was short:
 * the caller would run the task as received.
 */
static bool
has_document(const pipeline *run)
{
	revision *rewritten = run->decision->rewritten;

	return !run->request.subject->needs_document || !run->decision->admitted ||
	       rewritten == NULL || revision_document(rewritten) != NULL;
}

static OUTLINE void
give_back(pipeline *run)
{
	store_give_back(run->decision, NULL, view_bucket_time(&run->view));
}

static inline void
finish(pipeline *run)
{
	limen_decision *decision = run->decision;
	bool sealed = decision_seal(decision);

	if (run->view.failed || !sealed || !has_document(run))
		decision_no_memory(decision);
	if (!decision->admitted && decision->reservations != NULL)
		give_back(run);
	else if (decision->admitted && decision->quotas != NULL)
		quotas_settle(run);
	decision->reservations = NULL;
	if (run->workload != NULL)
		workload_drop(run);
	if (run->view.attachments != NULL || run->view.generation > 0)
		view_finish(&run->view);
	/* 'run' may be in the memory of this. */
	if (run->view.sleeper != NULL)
		sleeper_unref(run->view.sleeper);
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

static OUTLINE void
start_waits(pipeline *run)
{
	if (!has_fit_value(run))
		return;
	if (!wait_prepare(run))
		run->view.failed = true;
	else
		run->waits = wait_round(run);
}

/*
 * Copies the names of the headers that logs must not show: the decision may outlive its policy.  If
 * memory is short, logs show none.
 */
static void
name_secrets(limen_decision *decision, const char *const *headers)
{
	static const char *const none[] = { NULL };
	const char **copies;
	size_t count = 0;

	decision->secret_headers = none;
	while (headers[count] != NULL)
		count++;
	if (count == 0)
		return;
	copies = arena_calloc(&decision->arena, count + 1, sizeof(*copies));
	for (size_t i = 0; copies != NULL && i < count; i++) {
		copies[i] = arena_strdup(&decision->arena, headers[i]);
		if (copies[i] == NULL)
			copies = NULL;
	}
	decision->secret_headers = copies;
}

static inline void
start(pipeline *run, policy *under, pool *workers, const limen_request *req,
      const limen_decide_options *options, limen_decision *decision, sleeper *waiting)
{
	const subject_row *row = req->subject;
	/* After another error the document is missing, which is 400. */
	bool described = options->describe == NULL ||
	                 options->describe(options->describe_data, &under->needs) != LIMEN_ENOMEM;

	memset(run, 0, offsetof(pipeline, view));
	run->options = options;
	run->policy = under;
	run->workers = workers;
	if (!req->dry_run)
		run->counts = &under->counts[thread_number() % RULE_SHARES * under->rule_count];
	run->decision = decision;
	view_start(req, &run->view, &decision->arena, &run->request);
	run->view.decision = decision;
	run->view.sleeper = waiting;
	run->view.failed = run->view.failed || !described;
	name_secrets(decision, under->secret_headers);
	choose_deadline(&run->view, under->timeout, options);
	run->phase = row->has_phases ? options->phase : LIMEN_PHASE_BOTH;
	/* The API server sends the same request again to validate it; tokens are taken then. */
	run->view.uncharged = run->phase == LIMEN_PHASE_MUTATE;
	decision->wants_diagnostics = options->diagnostics && row->has_report;
	decision->wants_trace = options->trace;
	decision->wants_origins = options->origins;
	if (run->phase == LIMEN_PHASE_WORKLOAD && !workload_prepare(run))
		run->view.failed = true;
	if (under->identifiers.blocking || under->admission.blocking)
		start_waits(run);
}

void
pipeline_begin(pipeline *run, policy *under, pool *workers, const limen_request *req,
               const limen_decide_options *options, limen_decision *decision, sleeper *waiting)
{
	start(run, under, workers, req, options, decision, waiting);
}

void
pipeline_fork(pipeline *run, pipeline *out, arena *memory, revision *newest)
{
	view_now(&run->view);
	view_bucket_time(&run->view);
	*out = *run;
	out->request.view = &out->view;
	out->view.arena = memory;
	out->view.attachments = NULL;
	out->view.before = NULL;
	out->view.newest = newest;
	out->view.sleeper = NULL;
}

void
pipeline_end(pipeline *run)
{
	if (run->view.failed)
		decision_no_memory(run->decision);
	else if (decide(run) || workload_excuses(run))
		accept(run);
	finish(run);
}

void
pipeline_run(policy *under, pool *workers, const limen_request *req,
             const limen_decide_options *options, limen_decision *decision)
{
	pipeline run;

	start(&run, under, workers, req, options, decision, NULL);
	pipeline_end(&run);
}
