/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_problems.h - shows what is wrong with a policy.
 */
#ifndef LIMEN_PROGRAM_POLICY_PROBLEMS_H
#define LIMEN_PROGRAM_POLICY_PROBLEMS_H

#include <glib.h>
#include <limen/diag.h>
#include <stdio.h>

/*
 * Prints every entry at least as severe as 'least' to standard error, the way
 * pScheduler words problems of a limit file ("Invalid limit file: At /path:
 * text"), with the place and the hint on lines of their own.
 */
void problems_print_policy(const limen_diag *diag, limen_severity least);

/*
 * The file, line and column of 'problem' as far as they are known, or NULL; to
 * g_free().  'name' is that of the file where none is known.
 */
char *problems_place(const limen_problem *problem, const char *name);

#endif
