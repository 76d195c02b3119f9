/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.h - the decision about a workload (LIMEN_PHASE_WORKLOAD): admission entries are asked
 * about each pod and claim that it would make.  The answer is a warning, and a refusal only where an
 * entry says "workloads": "deny".
 */
#ifndef LIMEN_CORE_DECISION_WORKLOAD_H
#define LIMEN_CORE_DECISION_WORKLOAD_H

#include "admit_turn.h"

/* A pod or claim that the workload would make. */
typedef struct planned {
	limen_request request; /* to create it; its view is set for each decision */
	const char *field;     /* of the template in the workload: "spec.template" */
	const char *words;     /* "pods of web" */
} planned;

struct workload_state {
	pipeline *run;     /* the decision about the workload itself */
	planned *items;
	size_t count;
	bool more;         /* there are more than are decided about */
	const planned *current; /* the one that is asked about */
};

/* Finds the pods and claims to ask about; false when memory is short. */
bool workload_prepare(pipeline *run);

/* Frees what workload_prepare() found; none is fine. */
void workload_drop(pipeline *run);

/* Asks all entries about each of them with 'chain'.  False: the workload is refused. */
bool workload_admit(pipeline *run, bool (*chain)(pipeline *apart));

/* Returns true, and warns, for a decision that is an error: the pods themselves are decided later. */
bool workload_excuses(pipeline *run);

/* Warns that the entry would refuse 'current', or refuses the workload and returns false. */
bool workload_refuse(pipeline *apart, const turn *current, const item_list *violations);

#endif
