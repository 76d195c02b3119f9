/* SPDX-License-Identifier: Apache-2.0 */
/* admit_question.h - asks one entry of the admission chain to mutate or to validate (admit.c). */
#ifndef LIMEN_CORE_ADMIT_QUESTION_H
#define LIMEN_CORE_ADMIT_QUESTION_H

#include "pipeline.h"

typedef enum phase { PHASE_MUTATE, PHASE_VALIDATE } phase;

/* One entry being asked. */
typedef struct question {
	const entry *target;
	const admission_rule *rule;
	phase phase;
	outcome applies;
	bool ended; /* its answer would have ended the chain if the entry denied */
} question;

question question_of(const pipeline *run, size_t index, phase which);

/* Has the module of the entry the method of this half? */
bool question_has_method(const question *asked);

/* Does the entry not leave out the object in its current state?  Records nothing. */
bool question_applies(const pipeline *run, const question *asked);

/* The same, stores 'applies', and records in the trace why the entry leaves the object out. */
bool question_begin(pipeline *run, question *asked);

/* Asks and records the answer.  False: the chain ends. */
bool question_ask(pipeline *run, question *asked);

/* Applies a denying entry's changes to the copy of a rehearsal; records nothing. */
void question_change(pipeline *run, const question *asked);

#endif
