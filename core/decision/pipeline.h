/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.h - the stages of one decision, from start to end.
 *
 *	identify -> classify -> rewrite -> admission -> applications -> prioritize
 *
 * Each stage has its own file and works on the pipeline below; pipeline.c holds the
 * order and is the file to read first.  A stage returns false when the decision is
 * settled.  The decision starts as refused and is admitted by one line of code, in
 * pipeline.c.
 */
#ifndef LIMEN_CORE_DECISION_PIPELINE_H
#define LIMEN_CORE_DECISION_PIPELINE_H

#include <limen/engine.h>

#include "decision_state.h"
#include "waker.h"
#include "policy/policy.h"
#include "host/host.h"

/* The error of an identifier. */
typedef struct identifier_error {
	const char *text; /* NULL: no error */
	bool operational; /* something outside of the request failed, such as a server */
} identifier_error;

/* One call of one module. */
typedef struct call {
	limen_reply reply;
	limen_verdict verdict;
	int64_t nanoseconds; /* 0 unless a trace is wanted */
	const char *phase;   /* of admission, static; else NULL */
	bool outside;        /* LIMEN_ERROR is the core's own: no time or no worker was left */
} call;

/* How an identifier is evaluated. */
typedef enum finding_state {
	FINDING_NONE = 0, /* not asked yet */
	FINDING_WAITS,    /* its module has started a lookup */
	FINDING_CALLS,    /* by a call that may wait, on a worker if the module may block */
	FINDING_MADE
} finding_state;

typedef struct blocking blocking;

typedef struct finding {
	finding_state state;
	limen_deadline patience; /* when to ask again without its waker; 0: it does not wait */
	call call;
	blocking *job; /* of the call on a worker; NULL if there is no worker */
} finding;

typedef struct workload_state workload_state;

typedef struct pipeline {
	const limen_decide_options *options;
	policy *policy;
	pool *workers; /* for identifiers that may block */
	rule_counts *counts; /* by the numbers of rules, of this thread's share; NULL: a dry run */
	limen_decision *decision;
	limen_phase phase;   /* LIMEN_PHASE_BOTH for tasks */
	outcome *identified; /* by identifier */
	outcome *classified; /* by classifier */
	identifier_error *errors; /* by identifier; NULL until one fails */
	const application *unsure; /* the first that may or may not apply; or NULL */
	unsigned application; /* the one being evaluated, from 1; 0: none */
	unsigned group;       /* of that application, likewise */
	bool rehearses; /* this is a copy, for an entry that only observes */
	workload_state *workload; /* of LIMEN_PHASE_WORKLOAD, and of decisions about its pods; else NULL */
	revision **starts; /* the object as it came to each entry that only observes; or NULL */
	finding *findings; /* by identifier; NULL: each is called in its turn */
	limen_deadline *unready; /* by admission entry: as 'finding.patience'; NULL: none waits */
	limen_activity activity; /* the entry that a round asks, or that waits; read by any thread */
	bool waits;        /* for a lookup */
	bool started;      /* identifiers that need a worker */
	limen_deadline due; /* when to ask again at the latest; 0: nobody was asked yet */
	/*
	 * Could the request have been admitted if no module had ended with an error?
	 * Then the answer is an error (500), not a refusal (403).
	 */
	bool uncertain;
	bool limited; /* only rates refused it in an application that applied */
	/* These two are filled by view_start(), all before them is cleared. */
	view view;
	limen_request request; /* the view's copy: what modules are given */
} pipeline;

/*
 * Begins to decide 'req' under 'under' into 'decision', and starts the lookups of modules;
 * 'run->waits' says whether any are waited for.  'waiting' (may be NULL) is woken when one has
 * ended; 'run' must not move.
 */
void pipeline_begin(pipeline *run, policy *under, pool *workers, const limen_request *req,
                    const limen_decide_options *options, limen_decision *decision,
                    sleeper *waiting);

/* Waits, if it still does, and decides. */
void pipeline_end(pipeline *run);

/* Both at once: waits on this thread. */
void pipeline_run(policy *under, pool *workers, const limen_request *req,
                  const limen_decide_options *options, limen_decision *decision);

/*
 * Copies 'run', for a call beside it, with attachments of its own and 'newest' as the newest
 * document (taken over; NULL: the received one).  The copy sees the same times.
 */
void pipeline_fork(pipeline *run, pipeline *out, arena *memory, revision *newest);

/*
 * Is a stage on that the options switch with 'wanted'?  By default tasks are rewritten, and only
 * runs among them are prioritized ('for_runs').
 */
bool pipeline_switch(const pipeline *run, uint32_t wanted, bool for_runs);

/* Does the policy want this stage for the subject at hand? */
bool pipeline_wants(const pipeline *run, stage_method *wanted);

/* ---- waiting for answers of other systems (wait.c) ---- */

/* Makes the lists of those to be asked; false: no memory. */
bool wait_prepare(pipeline *run);

/*
 * Asks those again whose wakers were called, or whose patience is over; returns true while one
 * still waits, to be called again when a waker was called or at 'run->due'.
 */
bool wait_round(pipeline *run);

/* Waits on this thread. */
void wait_here(pipeline *run);

/* ---- stages ---- */

/* Refuses a value of a type that its subject cannot have. */
bool check_value(pipeline *run);

bool identify(pipeline *run);

/*
 * Refuses, with the error of the first of the identifiers 'members' (NULL: all) that failed
 * for an operational error or an invalid requester address.  False: there is none.
 */
bool identify_blame(pipeline *run, const index_list *members);

bool classify(pipeline *run);
bool rewrite(pipeline *run);
bool admit(pipeline *run);
bool apply(pipeline *run);
bool prioritize(pipeline *run);

/* Leaves the rates that the admitted request was charged (quota.c). */
void quotas_settle(pipeline *run);

/* Sets and reports the initial priority: no prioritizer is asked, or the task is refused. */
void prioritize_default(pipeline *run);

/*
 * Refuses because the rewriter or the prioritizer failed (prioritize.c).  Drops the report and the
 * rewritten task, as pScheduler does.
 */
bool refuse_script(pipeline *run, const entry *script, int code, const char *prefix,
                   const char *why);

/* Counts an outcome of a rule, or RULE_WOULD, unless the decision is a dry run. */
static inline void
pipeline_count(const pipeline *run, size_t rule, unsigned result)
{
	if (run->counts != NULL)
		atomic_fetch_add_explicit(&run->counts[rule].of[result], 1, memory_order_relaxed);
}

/* ---- calling modules (call.c) ---- */

void call_finish(call *result);

/* The error of a module that was not called, or whose answer does not count, and why. */
void call_give_up(pipeline *run, call *out, const char *why);

/* Why, for one that was too late. */
extern const char call_too_late[];

/* Records 'result' in the trace, if wanted, and its warnings and annotations. */
void call_report(pipeline *run, const entry *target, limen_kind kind, call *result);

/* The same, without a call for the usual reply, which has nothing of it. */
static inline void
call_record(pipeline *run, const entry *target, limen_kind kind, call *result)
{
	const limen_decision *decision = run->decision;

	if (decision->wants_trace || result->reply.warnings.first != NULL ||
	    result->reply.annotations.first != NULL ||
	    result->reply.retry_after > decision->retry_after)
		call_report(run, target, kind, result);
}

/* The inputs of a module call beside the entry. */
typedef struct call_inputs {
	const limen_request *request;
	arena *memory; /* of the reply */
	bool traced;
	unsigned may;       /* REPLY_MAY_* */
	bool wants_origins; /* of changes */
	bool observes;      /* the entry does not enforce */
} call_inputs;

call_inputs call_inputs_of(const pipeline *run);

/* A method of any kind of module except prioritizers and stores. */
typedef limen_verdict call_method(const void *self, const limen_request *req, limen_reply *reply);

/* Calls 'method' of the module of 'target'; past the deadline the verdict is LIMEN_ERROR. */
void call_run(call *result, const entry *target, call_method *method, const call_inputs *inputs);

/* The same for a prioritizer. */
void call_prioritizer(call *result, const entry *target, double initial, const call_inputs *inputs);

/* Calls an identifier unless it would have to wait: then returns false and leaves 'result' free. */
bool call_identifier_now(call *result, const entry *target, const call_inputs *inputs);

/* ---- the trace (trace.c) ---- */

/* Adds a call of a module; false: no memory. */
bool trace_add(pipeline *run, const entry *target, limen_kind kind, call *result);

/*
 * Records a step, if a trace is wanted; NULL if not.  Its texts are the policy's.  A macro, so that
 * the step is not even made if it is not.
 */
limen_step *step_add(pipeline *run, const limen_step *step, limen_value where);
#define step_begin(run, where, ...)                                                                \
	((run)->decision->wants_trace ? step_add(run, &(limen_step){ __VA_ARGS__ }, where) : NULL)

/* Sets the outcome of 'step', which may be NULL. */
void step_end(limen_step *step, outcome result);

/* ---- identifiers that may block (identify_blocking.c) ---- */

/* Starts identifier 'index' on a worker; NULL when no worker is available. */
blocking *blocking_start(pipeline *run, size_t index);

/*
 * Waits for it and copies its answer into 'out', in the memory of the decision;
 * LIMEN_ERROR past the deadline.  Frees 'job'.
 */
void blocking_collect(pipeline *run, blocking *job, call *out);

#endif
