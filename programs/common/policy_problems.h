/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_problems.h - prints the problems of a policy.
 */
#ifndef LIMEN_PROGRAM_POLICY_PROBLEMS_H
#define LIMEN_PROGRAM_POLICY_PROBLEMS_H

#include <glib.h>
#include <limen/diag.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Prints every entry at least as severe as 'least' to standard error, the most severe first,
 * worded as pScheduler reports problems of a limit file ("Invalid limit file: At /path: text").
 * Notes are left out if there is a problem.  The place and the
 * hint follow on their own lines.
 */
void problems_print_policy(const limen_diag *diag, limen_severity least);

/* Colours the words "Invalid limit file", "warning" and "note" from now on, or no longer. */
void problems_color(bool colored);

/*
 * Returns the file, line and column of 'problem' as far as they are known, to g_free(), or
 * NULL. 'name' is used if the file is not known.
 */
char *problems_place(const limen_problem *problem, const char *name);

#endif
