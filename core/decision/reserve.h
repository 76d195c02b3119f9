/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reserve.h - the tokens one decision has taken from stores.  Reservations hang
 * on the decision and are settled once, after the verdict.
 */
#ifndef LIMEN_CORE_DECISION_RESERVE_H
#define LIMEN_CORE_DECISION_RESERVE_H

#include "module/module.h"

#include "decision_state.h"

/* Tokens taken for a request whose verdict is not known yet. */
typedef struct reservation {
	struct reservation *next;
	limen_store *store;
	limen_store_take take;
	bool passed; /* the store granted all takes of that call */
	bool rehearsed; /* by an application that only observes, and kept */
} reservation;

/* Notes what is left of the rate of 'from' after 'take', in the decision of 'state' (quota.c). */
void quota_note(view *state, const limen_table *from, const limen_store_take *take);

/* Notes that 'take' was given back. */
void quota_give_back(limen_decision *decision, const limen_store_take *take);

/*
 * Gives back what 'decision' has reserved since 'mark' was its newest
 * reservation (NULL: everything), newest first.
 */
void store_give_back(limen_decision *decision, reservation *mark, limen_time now);

#endif
