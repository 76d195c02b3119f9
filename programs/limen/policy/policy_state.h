/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_state.h - does a policy remember requests?
 */
#ifndef LIMEN_PROGRAM_POLICY_STATE_H
#define LIMEN_PROGRAM_POLICY_STATE_H

#include <limen/engine.h>

/*
 * Does anything in the policy that 'engine' loaded count in a store, so that a
 * decision depends on those before it?
 */
bool policy_counts(limen_engine *engine);

#endif
