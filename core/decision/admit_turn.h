/* SPDX-License-Identifier: Apache-2.0 */
/* admit_turn.h - asks one entry of the admission chain to mutate or to validate (admit.c). */
#ifndef LIMEN_CORE_DECISION_ADMIT_TURN_H
#define LIMEN_CORE_DECISION_ADMIT_TURN_H

#include "pipeline.h"

typedef enum phase { PHASE_MUTATE, PHASE_VALIDATE } phase;

/* The turn of one entry in the chain. */
typedef struct turn {
	const entry *target;
	const admission_rule *rule;
	phase phase;
	outcome applies;
	bool ended; /* its answer would have ended the chain if the entry denied */
} turn;

turn turn_of(const pipeline *run, size_t index, phase which);

/* Has the module of the entry the method of this half? */
bool turn_has_method(const turn *current);

/* Does the entry not leave out the object in its current state?  Records nothing. */
bool turn_applies(const pipeline *run, const turn *current);

/* The same, stores 'applies', and records in the trace why the entry leaves the object out. */
bool turn_begin(pipeline *run, turn *current);

/* Asks and records the answer.  False: the chain ends. */
bool turn_ask(pipeline *run, turn *current);

/* Applies a denying entry's changes to the copy of a rehearsal; records nothing. */
void turn_change(pipeline *run, const turn *current);

#endif
