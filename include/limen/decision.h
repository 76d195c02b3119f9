/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/decision.h - the result of limen_engine_decide().
 *
 * A decision belongs to the caller, depends on neither engine nor request, and never
 * changes: any number of threads may read it.  Everything read from it is borrowed
 * until limen_decision_free().  The structs it holds only grow at their end.
 */
#ifndef LIMEN_DECISION_H
#define LIMEN_DECISION_H

#include <limen/reply.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/*
 * Frees 'decision' and all that was read from it.  Takes NULL.  No other thread may be reading it.
 */
LIMEN_API void limen_decision_free(limen_decision *decision);

/*
 * Returns true if the request may pass: the policy admits it, and everything that had to be told
 * could be.  False for NULL.  An error is not admitted, so no caller has to tell it from a refusal.
 */
LIMEN_API bool limen_decision_admitted(const limen_decision *decision);

/*
 * Returns 200 admitted, 403 refused, 422 invalid, 429 too many, 500 could not tell, and 400 for an
 * HTTP request that is malformed (limen_http_read()).
 * Admitted exactly when it is 200.  0 for NULL.  A caller that answers over HTTP may use it as
 * the status.
 */
LIMEN_API int limen_decision_code(const limen_decision *decision);

/*
 * Returns why, in one line; never NULL.  It may name entries of the policy and quote the request:
 * see limen_decision_summary() for clients who should not learn these.  Borrowed from 'decision'.
 */
LIMEN_API const char *limen_decision_reason(const limen_decision *decision);

/*
 * Returns the policy's name of the entry that refused: an admission entry, the rewriter or the
 * prioritizer, the identifier that failed, or the limit in the reason.  NULL if the request was
 * admitted, and if no single entry refused it.  Borrowed from 'decision'.
 */
LIMEN_API const char *limen_decision_entry(const limen_decision *decision);

/*
 * One violation of an object, as an admission module reported it.  Absent members are NULL, and
 * the struct belongs to the decision.
 */
typedef struct limen_violation {
	uint32_t violation_class; /* limen_class */
	const char *field;       /* "spec.containers[0]" */
	const char *message;
	const char *detail;      /* an explanation; its text may change */
} limen_violation;

/*
 * Returns violation 'index' in the order found, or NULL past the end.  Those of entries that only
 * warn or audit are in limen_decision_observed().  Borrowed from 'decision'.
 */
LIMEN_API const limen_violation *limen_decision_violation(const limen_decision *decision,
                                                          size_t index);

/*
 * Returns the account pScheduler gives of a decision, lines joined by newlines, or NULL if it was
 * not asked for or the request is no task.  Borrowed from 'decision'.
 */
LIMEN_API const char *limen_decision_diagnostics(const limen_decision *decision);

/*
 * Return names, in the order of the policy, and their number in 'count' (may be NULL): the
 * identifiers that matched, and the classifiers that the request has.  Both are empty if the
 * decision ended before that stage, or needed none.  The arrays are not ended by NULL.  Borrowed
 * from 'decision'.
 */
LIMEN_API const char *const *limen_decision_identifiers(const limen_decision *decision,
                                                        size_t *count);
LIMEN_API const char *const *limen_decision_classifiers(const limen_decision *decision,
                                                        size_t *count);

/*
 * Stores the priority and returns true; returns false, with 'out' unchanged, if it was not
 * determined: the request was refused, no priority was wanted ('prioritize' of
 * limen_decide_options), or the policy has no "priority".
 */
LIMEN_API bool limen_decision_priority(const limen_decision *decision, double *out);

/*
 * Returns the document a rewriter or admission entries made, or none if there was no
 * such stage.  Of an object: none also if nothing was changed, or if memory is too short
 * to make it, when the patch has operations all the same.  It is there for refused requests
 * too, to show what was refused, unless memory is short.
 */
LIMEN_API limen_value limen_decision_rewritten(const limen_decision *decision);

/*
 * Returns the RFC 6902 patch from the document received to that one, an array of operations, or
 * none.  Apply it to the document as it was received; an AdmissionReview carries it in base64.
 */
LIMEN_API limen_value limen_decision_patch(const limen_decision *decision);

/*
 * Returns the details of a refusal with violations, as in a Kubernetes Status: an object
 * with name, group and kind (the resource) as far as they are known, and
 * causes, an array of {reason, message, field}.  The message of a cause is that
 * of the violation, followed by "; " and its detail if it has one.  Else none.
 */
LIMEN_API limen_value limen_decision_details(const limen_decision *decision);

/*
 * Returns the warnings for the client, each once, and their number in 'count'.  Admitted requests
 * have warnings, too: show them to whoever sent the request.  Borrowed from 'decision'.
 */
LIMEN_API const char *const *limen_decision_warnings(const limen_decision *decision,
                                                     size_t *count);

/*
 * Stores how long to wait before trying again, in microseconds, and returns true.  Of several
 * applications that failed by their rates alone it is the shortest wait.  Returns false if waiting
 * does not help, or the module that refused did not say.
 */
LIMEN_API bool limen_decision_retry_after(const limen_decision *decision, limen_duration *out);

/* The most rates of one decision that are told. */
#define LIMEN_QUOTAS_MAX 8

/* A rate after the decision, as this requester has it.  The struct grows at its end only. */
typedef struct limen_quota {
	const char *name;  /* of the limit; one of several rates: with its period, "l-PT1M" */
	int64_t quota;     /* the most that may be left: the burst, or N of a window */
	/* Whole seconds of the window, or in which an empty bucket fills, rounded up; 0: 'unit'. */
	int64_t window;
	int64_t remaining; /* what is left */
	int64_t reset;     /* whole seconds, rounded up: limen_reading.reset */
	limen_meter_kind kind;
	limen_unit unit; /* LIMEN_METER_CALENDAR */
} limen_quota;

/*
 * Returns rate 'index', with the least remaining first, or NULL past the end: of an HTTP request,
 * and of others if a trace was wanted.  Admitted: the rates that were charged; refused: all that
 * were asked, less what was given back.  Rates whose store does not say what is left are missing.
 * Borrowed from 'decision'.
 */
LIMEN_API const limen_quota *limen_decision_quota(const limen_decision *decision, size_t index);

/*
 * Is the value of the header 'name', in lower case, a secret?  So are "authorization", "cookie" and
 * "x-api-key", and those that modules of the policy that decided have named (LIMEN_HTTP_SECRET),
 * such as a rate with "hash": true.  Logs must show a hash of it at most.
 */
LIMEN_API bool limen_decision_hides_header(const limen_decision *decision, const char *name);

/* One audit annotation.  An API server puts the name of the webhook before the key. */
typedef struct limen_annotation {
	const char *key;
	const char *value;
} limen_annotation;

/*
 * Returns annotation 'index', or NULL past the end; no two have the same key.  They tell operators
 * what rules with "enforce": "audit" would have refused, and what modules note.  Borrowed from
 * 'decision'.
 */
LIMEN_API const limen_annotation *limen_decision_annotation(const limen_decision *decision,
                                                            size_t index);

/*
 * An admission entry, a limit or an application that would have refused the request, but only
 * warned ("warn") or recorded it ("audit"; the annotation of the same key has the reason).  An
 * application is named as in a reason: "application 'DESCRIPTION'".  The struct grows at its end only, and belongs to the decision.
 */
typedef struct limen_observed {
	const char *entry;
	const char *enforce; /* "warn" or "audit"; static */
	const limen_violation *violations; /* the first LIMEN_OBSERVED_VIOLATIONS that it found */
	size_t violation_count;            /* a limit's have a message only */
} limen_observed;

/* The most violations that a limen_observed has. */
#define LIMEN_OBSERVED_VIOLATIONS 16

/*
 * Returns such an entry, number 'index' in the order asked, or NULL past the end.  Borrowed from
 * 'decision'.
 */
LIMEN_API const limen_observed *limen_decision_observed(const limen_decision *decision,
                                                        size_t index);

/*
 * The origin of a value of the rewritten document: which entry set it, and why, in the words of
 * the module.  An example is a default of a LimitRange.
 */
typedef struct limen_origin {
	const char *pointer; /* RFC 6901, in the document as it was when the value was set */
	const char *text;
} limen_origin;

/*
 * Returns origin 'index' in the order in which the values were set, or NULL; none unless asked
 * for.  Of two for one pointer the later counts.  Borrowed from 'decision'.
 */
LIMEN_API const limen_origin *limen_decision_origin(const limen_decision *decision,
                                                    size_t index);

/*
 * One module that was run, in the order of the calls.  Absent texts are NULL.  The struct grows at
 * its end only, and belongs to the decision.
 */
typedef struct limen_trace {
	uint32_t kind;           /* limen_kind */
	const char *type;
	const char *name;       /* of the entry */
	uint32_t verdict;        /* limen_verdict: the module's own, before any inversion */
	bool inverted;          /* the entry says "invert": true */
	const char *reason;     /* NULL if it gave none */
	int64_t nanoseconds;
	const char *file;       /* where the entry stands; may be NULL */
	unsigned line;
	const char *const *notes;
	size_t note_count;
	const char *phase;      /* of admission: "mutate" or "validate"; else NULL */
	unsigned application;   /* of a limit: the number of its application, from 1; else 0 */
	unsigned group;         /* of a limit: in which group of limits, from 1; else 0 */
	const limen_bound *bounds; /* the first it missed, 1000 at most, if that made it fail */
	size_t bound_count;
	limen_duration retry_after; /* when it could pass; -1: it did not say */
	bool observes;          /* a limit that says "enforce": "audit": its verdict decides nothing */
} limen_trace;

/*
 * Returns entry 'index' in the order run, or NULL past the end; none unless 'trace' of
 * limen_decide_options was set.  Borrowed from 'decision'.
 */
LIMEN_API const limen_trace *limen_decision_trace(const limen_decision *decision, size_t index);

/* Steps of a decision that are not modules; a later version may have more. */
typedef enum limen_step_kind {
	LIMEN_STEP_CLASSIFIER = 1,
	LIMEN_STEP_APPLICATION = 2,
	LIMEN_STEP_GROUP = 3,    /* of limits, in an application */
	LIMEN_STEP_ADMISSION = 4 /* an admission entry that leaves the object out */
} limen_step_kind;

/*
 * One of those.  Absent texts are NULL, and numbers that do not apply are 0.  Struct grows at its
 * end only.
 */
typedef struct limen_step {
	uint32_t kind;           /* limen_step_kind */
	uint32_t verdict;        /* limen_verdict, inverted; LIMEN_SKIP: an application of others
	                            or an admission entry */
	bool inverted;          /* an application that says "invert": true */
	bool stops;             /* an application that says "stop-on-failure": true */
	const char *name;       /* of a classifier or admission entry; what an application
	                           says it does, or NULL */
	const char *classifier; /* of an application; NULL: everyone, or no application */
	const char *require;    /* of classifiers and groups, "any"; else NULL */
	unsigned application;   /* from 1; 0: a classifier or an admission entry */
	unsigned group;         /* from 1; 0: no group */
	const char *file;       /* where it stands, or for a group its application; may be NULL */
	unsigned line;
	const char *phase;      /* of an admission entry: "mutate" or "validate"; else NULL */
	const char *reason;     /* which key of "match", or which "not", left the object out; else
	                           NULL.  The text may change. */
	bool observes;          /* an application that says "enforce": "audit": it decides nothing */
} limen_step;

/*
 * Returns step 'index' in the order gone through, or NULL; none unless a trace was asked for.
 * Borrowed from 'decision'.
 */
LIMEN_API const limen_step *limen_decision_step(const limen_decision *decision, size_t index);

/*
 * One thing that would have to be otherwise, with the module call that found it.  Struct grows at
 * its end only.
 */
typedef struct limen_change {
	const limen_trace *entry;  /* the limit or admission entry that minds */
	const limen_bound *bound;  /* the bound to keep; NULL: only time helps */
	limen_duration wait;       /* then: how long to wait */
} limen_change;

/*
 * Returns part 'index' of the smallest change that would make an application pass, or the
 * admission entry that refused, as far as modules named the bounds that were missed; NULL past the
 * end.  There is none without a trace, if the request was admitted, and if the change is not
 * known.  Limits that were not checked yet might still refuse.  Borrowed from 'decision'.
 */
LIMEN_API const limen_change *limen_decision_change(const limen_decision *decision,
                                                    size_t index);

/*
 * Returns a limit that failed without naming a bound, such as a script, if its application may
 * need less than limen_decision_change() says, or no change is known; else NULL.  Borrowed from
 * 'decision'.
 */
LIMEN_API const limen_trace *limen_decision_unexplained(const limen_decision *decision);

/*
 * Returns a fixed text in place of the reason, which tells nothing about the policy:
 * "admitted", "refused by the policy" and so on.  Static.
 */
LIMEN_API const char *limen_decision_summary(const limen_decision *decision);

/*
 * A flag of limen_decision_to_json() beside LIMEN_JSON_*: the reason is
 * limen_decision_summary(), and what else could tell about the policy is null or empty.  Of
 * an admitted request the priority and the changes stay.
 */
#define LIMEN_JSON_BRIEF (1u << 8)

/*
 * Returns the decision object, as all programs of limen show it, as JSON text in
 * memory the caller frees with free().  'flags' is a set of LIMEN_JSON_*; 'length'
 * (may be NULL) receives the bytes.  NULL when memory is short.
 */
LIMEN_API char *limen_decision_to_json(const limen_decision *decision, unsigned flags,
                                       size_t *length);

LIMEN_END_DECLS

#endif
