/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.h - what a request costs: a number of the policy, or one that stands in the request.
 */
#ifndef LIMEN_PLUGINS_LIMIT_RATE_COST_H
#define LIMEN_PLUGINS_LIMIT_RATE_COST_H

#include "key.h"

#define COST_MAX 1000000

typedef struct cost {
	limen_value option; /* none: 1 */
	int64_t fallback;   /* where the request has no number from 1 to COST_MAX */
	int64_t constant;   /* -1: it stands in the request */
	part part;
} cost;

/* Compiles the option "cost".  Reports problems; on failure nothing is kept. */
int cost_open(cost *rules, limen_opening *opening, limen_diag *diag);
void cost_close(cost *rules);

int64_t cost_read(const cost *rules, const limen_request *req);

#endif
