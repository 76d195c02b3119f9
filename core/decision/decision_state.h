/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_state.h - a decision under construction and afterwards.
 *
 * Everything in it lives in its arena, except the diagnostics and documents.
 * While the pipeline runs, only the thread that called limen_engine_decide()
 * writes to it, except for the reservations of a BLOCKING identifier, which
 * cannot have any.
 */
#ifndef LIMEN_CORE_DECISION_DECISION_STATE_H
#define LIMEN_CORE_DECISION_DECISION_STATE_H

#include <limen/decision.h>
#include <stddef.h>

#include "policy/policy.h"
#include "base/arena.h"
#include "document/document.h"
#include "reply.h"
#include "request.h"
#include "base/strbuf.h"

struct reservation;

typedef struct trace_item {
	struct trace_item *next;
	limen_trace trace;
} trace_item;

typedef struct step_item {
	struct step_item *next;
	limen_step step;
} step_item;

/*
 * Cap on the notes, and on the bounds, of one module in a trace; a last note gives the number
 * of the rest.  A hostile request can miss as many bounds as it has bytes.
 */
#define TRACE_LISTED_MAX 1000

struct limen_decision {
	/* Aligned so that the memory behind a decision can be its arena's. */
	_Alignas(max_align_t) arena arena;
	bool admitted;
	int code;
	const char *reason;
	const char *entry; /* the entry that refused; NULL: no single one */
	item_list violations;
	limen_violation *violation_items;
	bool wants_diagnostics;
	strbuf diagnostics;
	names identifiers;
	names classifiers;
	bool has_priority;
	double priority;
	revision *rewritten; /* NULL: no such stage */
	document *patch;
	document *details; /* of violations; NULL: none */
	item_list warnings;
	const char **warning_items;
	item_list annotations;
	limen_annotation *annotation_items;
	item_list observed;
	limen_observed *observed_items;
	bool wants_origins;
	item_list origins;
	limen_origin *origin_items;
	limen_duration retry_after; /* -1: none */
	bool wants_trace;
	item_list trace;
	limen_trace *trace_items;
	size_t told;        /* of TOLD_MAX */
	bool bounds_untold; /* bounds of a failed module were dropped for lack of room */
	item_list steps; /* in the order gone through */
	limen_step *step_items;
	limen_change *changes; /* the smallest that would help */
	size_t change_count;
	const limen_trace *unexplained; /* a limit of a nearer application; or NULL */
	struct reservation *reservations;
	struct quota_list *quotas; /* what is left of rates (quota.c); NULL: none is told */
	const char *const *secret_headers; /* that the policy names, ended by NULL; NULL: any may be */
};

limen_decision *decision_new(void);

/*
 * Adds JSON to 'out', which must not be empty: in 'format', %s is a text, %b a bool, %u a number
 * and %v a value; a NULL text or no value is null.  A comma at its start is left out after an
 * opening bracket.
 */
void json_add(strbuf *out, const char *format, ...);

/* As limen_decision_to_json(), with 'id' (may be none) as the first member. */
char *decision_to_json(const limen_decision *decision, limen_value id, unsigned flags,
                       size_t *length);

/* Copies texts into arrays once the decision is complete; false when memory is short. */
bool decision_seal(limen_decision *decision);

/* Works out the smallest change from trace and steps; false when memory is short. */
bool decision_find_change(limen_decision *decision);

/* Ends the decision as refused with 'code' and a reason. */
void decision_refuse(limen_decision *decision, int code, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/* Ends the decision as an error, because memory is short, and returns false. */
bool decision_no_memory(limen_decision *decision);

/* Remembers the name of the policy's entry that refused. */
void decision_blame(limen_decision *decision, const char *entry);

/*
 * Appends texts, at least one, to the audit annotation 'key', as far as there is room.
 * Returns false when memory is short.
 */
bool decision_annotate(limen_decision *decision, const char *key, const item_list *texts);

/*
 * Notes that the entry 'rule' would have refused for the violations; 'word' is its "enforce" and static.
 * 'pods', words for the pods of a workload that they are about, may be NULL.  Returns false when memory is
 * short.
 */
bool decision_observe(limen_decision *decision, const char *rule, const char *word,
                      const char *pods, const item_list *violations);

/*
 * Adds the annotations of a module, each under its own key; the caller must not use 'said'
 * any more.  An annotation that is present already, in full, is not added again.
 */
bool decision_take_annotations(limen_decision *decision, const item_list *said);

/*
 * Adds a line to the diagnostics, if they are wanted: indent, format, arguments.
 * A macro, so that arguments are not even evaluated if they are not.
 */
#define decision_line(decision, ...)                                                               \
	((decision)->wants_diagnostics ? account_line(&(decision)->diagnostics, __VA_ARGS__)       \
	                               : (void)0)

/* The same for a line that is a literal, without any formatting. */
#define decision_say(decision, literal)                                                            \
	((decision)->wants_diagnostics                                                             \
	         ? account_lines(&(decision)->diagnostics, literal, sizeof(literal) - 1)           \
	         : (void)0)

/* Adds the line "PREFIX A, B, C" to the diagnostics, if they are wanted. */
void decision_names(limen_decision *decision, const char *prefix, const names *list);

#endif
