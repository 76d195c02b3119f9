/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missed.h - names the bound that a parameter outside its limit missed, in the words
 * of the policy, for a trace.
 */
#ifndef LIMEN_TEST_MISSED_H
#define LIMEN_TEST_MISSED_H

#include "parameter.h"

typedef struct missed {
	const parameter *param;
	limen_value value;   /* of the test; none: there is none */
	const char *derived; /* what stands for it then, or NULL */
} missed;

/* Reports a missed bound of any shape but a range. */
void missed_tell(const parameter *param, limen_value spec, limen_value value,
                 limen_reply *reply);

/* Report a missed end of a range, or a range that must not be touched. */
void
missed_end(const missed *missing, limen_relation relation, limen_value end, limen_reply *reply);
void missed_outside(const missed *missing, limen_value range, limen_reply *reply);

#endif
