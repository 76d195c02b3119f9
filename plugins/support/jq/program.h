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
#include "words.h"

/* Returns false, with problems, for arguments that jq refuses and for an empty script. */
bool program_check(const jq_setup *setup, const limen_transform *transform, const words *script,
                   limen_diag *diag);

/* May 'script' ask for hints?  Then its input is [INPUT, HINTS]. */
bool program_has_hints(const jq_setup *setup, const char *script);

/*
 * Returns the text, for the caller to free, or NULL when memory is short.  'is_local' leaves out
 * the guards.
 */
char *program_make(const jq_setup *setup, const limen_transform *transform, const words *script,
                   bool is_local);

#endif
