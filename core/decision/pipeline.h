/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.h - one decision, start to finish.
 *
 *	identify -> classify -> rewrite -> admission -> applications -> prioritize
 *
 * Each stage is a file of its own that works on the pipeline below; pipeline.c
 * holds the order and is the file to read first.  A stage returns false when
 * the decision is settled.  The decision starts as refused and is admitted by
 * one line of code, in pipeline.c.
 */
#ifndef LIMEN_CORE_DECISION_PIPELINE_H
#define LIMEN_CORE_DECISION_PIPELINE_H

#include <limen/engine.h>

#include "decision_state.h"
#include "policy/policy.h"
#include "host/host.h"

/* Why an identifier could not tell. */
typedef struct identifier_error {
	const char *text; /* NULL: it told */
	bool operational; /* something outside of the request failed, such as a server */
} identifier_error;

typedef struct pipeline {
	policy *policy;
	pool *workers; /* for identifiers that may block */
	limen_decision *decision;
	bool rewrite;
	bool prioritize;
	limen_phase phase;   /* LIMEN_PHASE_BOTH for tasks */
	outcome *identified; /* by identifier */
	outcome *classified; /* by classifier */
	identifier_error *errors; /* by identifier */
	const application *unsure; /* the first that may or may not be for who asks; or NULL */
	unsigned application; /* the one that is asked, from 1; 0: none */
	unsigned group;       /* of that application, likewise */
	bool rehearses; /* this is a copy, for an entry that only observes */
	revision **starts; /* the object as it came to each entry that only observes; or NULL */
	/*
	 * Could a refusal turn into an admission if modules that could not tell
	 * had told?  Then it is no refusal (403) but a failure to tell (500).
	 */
	bool uncertain;
	/* These two are filled by view_start(), all before them is cleared. */
	view view;
	limen_request request; /* the view's copy: what modules are given */
} pipeline;

/* One call of one module. */
typedef struct call {
	limen_reply reply;
	limen_verdict verdict;
	int64_t nanoseconds; /* 0 unless a trace is wanted */
	const char *phase;   /* of admission, static; else NULL */
	bool outside;        /* LIMEN_ERROR is the core's own: no time or no worker was left */
} call;

/* Decides 'req' under 'under' into 'decision'. */
void pipeline_run(policy *under, pool *workers, const limen_request *req,
                  const limen_decide_options *options, limen_decision *decision);

/* ---- stages ---- */

bool identify(pipeline *run);

/*
 * Refuses with the first of the identifiers 'members' (NULL: all) that could not tell, for an
 * operational error or a requester that is no address, as the reason.  False: there is none.
 */
bool identify_blame(pipeline *run, const index_list *members);

bool classify(pipeline *run);
bool rewrite(pipeline *run);
bool admit(pipeline *run);
bool apply(pipeline *run);
bool prioritize(pipeline *run);

/* Gives the initial priority and says so: where none is asked for, or nothing passed. */
void prioritize_default(pipeline *run);

/* ---- calling modules (call.c) ---- */

/* Reads the clock if a trace is wanted; false, with the verdict set, past the deadline. */
bool call_begin(call *one, const limen_request *req, arena *memory, bool traced);
void call_end(call *one, limen_verdict returned, bool traced);
void call_finish(call *one);

/* Records 'one' in the trace, if wanted, and its warnings and annotations. */
void call_record(pipeline *run, const entry *target, limen_kind kind, call *one);

/* What a module is given beside the entry. */
typedef struct call_inputs {
	const limen_request *request;
	arena *memory; /* of the reply */
	bool traced;
	bool wants_origins; /* of changes */
	bool observes;      /* the entry does not enforce */
} call_inputs;

call_inputs call_inputs_of(const pipeline *run);

/* The methods of modules, but those of prioritizers and stores. */
typedef limen_verdict call_method(const void *self, const limen_request *req, limen_reply *reply);

/* Calls 'method' of the module of 'target'; past the deadline the verdict is LIMEN_ERROR. */
void call_run(call *one, const entry *target, call_method *method, const call_inputs *inputs);

/* The same for a prioritizer. */
void call_prioritizer(call *one, const entry *target, double initial, const call_inputs *inputs);

/* An identifier if it need not wait; false, with nothing in 'one' to keep, if it would. */
bool call_identifier_now(call *one, const entry *target, const call_inputs *inputs);

/* The instance's answer as an outcome, inverted if the entry says so. */
outcome call_outcome(const call *one, const entry *target);

/* ---- the trace beside modules (step.c) ---- */

/* Records a step, if a trace is wanted; NULL if not.  Its texts are the policy's. */
limen_step *step_begin(pipeline *run, const limen_step *what, limen_value where);

/* Says what became of it; 'step' may be NULL. */
void step_end(limen_step *step, outcome what);

/* ---- identifiers that may block (identify_blocking.c) ---- */

typedef struct blocking blocking;

/* Starts identifier 'index' on a worker; NULL when none can be had. */
blocking *blocking_start(pipeline *run, size_t index);

/*
 * Waits for it and copies its answer into 'out', in the memory of the decision;
 * LIMEN_ERROR past the deadline.  Frees 'job'.
 */
void blocking_collect(pipeline *run, blocking *job, call *out);

#endif
