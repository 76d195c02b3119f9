/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_log.h - logs the problems of a policy.
 */
#ifndef LIMEND_POLICY_LOG_H
#define LIMEND_POLICY_LOG_H

#include <glib.h>
#include <limen/diag.h>

/* Logs every entry of 'diag' that is at least as severe as 'least'. */
void policy_log(const limen_diag *diag, limen_severity least);

/*
 * Returns the problems of 'diag' as one text, to g_free().  Equal texts mean the same failure
 * for the same reason.
 */
char *policy_log_reason(const limen_diag *diag);

#endif
