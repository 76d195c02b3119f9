/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - the text that jq compiles for an operator's script, all of it on
 * the script's first line so that jq counts the lines as the operator does:
 *
 *	imports  args  guards  hint()  prelude  script
 */
#ifndef LIMEN_SUPPORT_JQ_PROGRAM_H
#define LIMEN_SUPPORT_JQ_PROGRAM_H

#include "jq.h"

typedef struct program {
	char *text;
	bool has_hints; /* its input is [INPUT, HINTS] */
} program;

/*
 * Makes the text.  Arguments without a usable name are problems in 'diag', as
 * is an empty script.  'is_local' leaves out the guards.  Returns LIMEN_OK, LIMEN_EINVAL or
 * LIMEN_ENOMEM.
 */
int program_make(const jq_setup *setup, const limen_transform *transform, bool is_local,
                 limen_diag *diag, program *out);

void program_free(program *made);

#endif
