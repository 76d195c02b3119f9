/* SPDX-License-Identifier: Apache-2.0 */
/*
 * problems.h - prints a limen_diag as text, and writes it as JSON.
 */
#ifndef LIMEN_PROGRAM_PROBLEMS_H
#define LIMEN_PROGRAM_PROBLEMS_H

#include <limen/value.h>

#include "common/policy_problems.h"

/*
 * Prints every problem of the request 'name' as "limen: NAME:LINE:COLUMN: TEXT"; or, unless
 * 'problems', every warning and note in the same form, with "warning: TEXT".
 */
void problems_print_request(const limen_diag *diag, const char *name, bool problems);

/* Prints warnings of a command that loads modules: "limen: warning: TEXT". */
void problems_print_plain(const limen_diag *diag);

/* Appends all entries as elements of a JSON array; 'placeless' leaves out file positions. */
void problems_append_json(GString *out, const limen_diag *diag, bool placeless);

/* Stores where 'value' stands in its file, from 1; 0 if that is not known. */
void problems_locate(limen_value value, unsigned *line, unsigned *column);

/*
 * Returns where 'value' stands, "FILE:LINE:COLUMN", to g_free(), or NULL if that is not known.
 * 'name' is used if the file is not known.
 */
char *problems_place_of(limen_value value, const char *name);

/* Returns the text of the first problem, or 'otherwise'. */
const char *problems_first(const limen_diag *diag, const char *otherwise);

#endif
