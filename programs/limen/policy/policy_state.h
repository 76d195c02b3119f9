/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_state.h - tells whether decisions of a policy depend on earlier requests.
 */
#ifndef LIMEN_PROGRAM_POLICY_STATE_H
#define LIMEN_PROGRAM_POLICY_STATE_H

#include <limen/engine.h>

/*
 * Returns true if an entry of the policy loaded by 'engine' counts in a store, so that
 * decisions depend on earlier ones.
 */
bool policy_counts(limen_engine *engine);

#endif
