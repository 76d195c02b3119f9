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
#include "subjects.h"

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

/*
 * Judges 'decision' about 'item' under the policy of 'engine'; NULL is an error.  Repeats the
 * decision as a dry run if it has no trace and only that shows whether an entry looked at the
 * object.  Clear the result with judgement_clear().
 */
judgement judge(const limen_decide_options *options, limen_engine *engine, const subject *item,
                const limen_decision *decision);

/*
 * Returns the exit status of a judged decision, which may be NULL.  'strict' fails for what is not
 * judged and for warnings, too.
 */
int judgement_status(const judgement *self, const limen_decision *decision, bool strict);

void judgement_clear(judgement *self);

#endif
