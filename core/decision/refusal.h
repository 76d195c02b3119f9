/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.h - derives the code, the reason and the details of a refusal from the
 * violations of one admission entry.
 */
#ifndef LIMEN_CORE_DECISION_REFUSAL_H
#define LIMEN_CORE_DECISION_REFUSAL_H

#include "pipeline.h"

/* The entry that refuses, and its violations. */
typedef struct refusal {
	const char *name; /* of the entry */
	const admission_rule *rule;
	const item_list *violations; /* become the decision's */
	bool certain;                /* that the entry applies; else the code is 500 */
} refusal;

/* Refuses the request; false, as a stage that ends a decision answers. */
bool refusal_make(pipeline *run, const refusal *because);

#endif
