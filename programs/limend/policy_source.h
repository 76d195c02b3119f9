/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_source.h - where the policy of the daemon comes from: a file, a
 * directory, a URL, or a file that holds a URL.
 */
#ifndef LIMEND_POLICY_SOURCE_H
#define LIMEND_POLICY_SOURCE_H

#include <limen/engine.h>
#include <stdbool.h>

/*
 * Loads the policy, which is fetched again if it is at a URL.  False, with at
 * least one problem in 'diag', if what was in force stays.
 */
bool policy_source_load(limen_engine *engine, const char *name, limen_diag *diag);

/* Logs every entry of 'diag' that is at least as severe as 'least'. */
void policy_source_log(const limen_diag *diag, limen_severity least);

#endif
