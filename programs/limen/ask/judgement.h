/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judgement.h - tells what a decision says about a request.  A policy admits an object that no
 * entry looks at, such as a custom resource that makes pods, or a misspelt kind: that is not the
 * same as an object that was checked.
 */
#ifndef LIMEN_PROGRAM_JUDGEMENT_H
#define LIMEN_PROGRAM_JUDGEMENT_H

#include "ask.h"
#include "cli/command.h"
#include "case.h"

/* The kinds of judgement, best first: of an object and its pods the worst counts. */
typedef enum judgement_kind {
	JUDGED_NOT_CONCERNED, /* no LimitRange is about such an object */
	JUDGED_ADMITTED,
	JUDGED_NOT,           /* it should have been checked, but no entry looked at it */
	JUDGED_REFUSED,
	JUDGED_ERROR,
	JUDGEMENTS
} judgement_kind;

typedef struct judgement {
	judgement_kind kind;
	char *reason; /* why it was not judged, or is not concerned; else NULL */
	char *hint;   /* how it would be judged, or NULL */
} judgement;

/* "not concerned", "admitted", "not judged", "refused", "error". */
extern const char *const judgement_words[JUDGEMENTS];

/* A decision about a request, and what it says. */
typedef struct case_result {
	const ask_case *item;
	limen_decision *decision; /* NULL: there is none */
	judgement judged;
	int status; /* the exit status */
	char *why;  /* why there is no decision, or NULL */
} case_result;

/*
 * Judges 'decision', or NULL, about 'item' under the policy of 'engine'.  Repeats it as a dry run
 * if it has no trace and only that shows whether an entry looked at the object.  Clear the
 * judgement with judgement_clear().
 */
judgement judge_decision(limen_engine *engine, const ask_case *item,
                         const limen_decision *decision);

void judgement_clear(judgement *self);

/*
 * Decides 'item' under the policy of 'engine', and judges the decision.  With 'strict' the
 * exit status is not good for what is not judged and for warnings, too.  Clear the result with
 * case_result_clear().
 */
case_result judge(limen_engine *engine, const ask_case *item, bool strict);

void case_result_clear(case_result *self);

#endif
