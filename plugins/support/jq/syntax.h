/* SPDX-License-Identifier: Apache-2.0 */
/* syntax.h - what can be told about a script by looking at its words. */
#ifndef LIMEN_SUPPORT_JQ_SYNTAX_H
#define LIMEN_SUPPORT_JQ_SYNTAX_H

#include "jq.h"

/* Names something in 'script' that only jq 1.7 and later understand, or NULL.  Static. */
const char *syntax_newer(const char *script);

/*
 * Notes each of 'strangers' that the script looks for in its own input.  What
 * may be the input of something else ("map(.type)", after a "|") is left alone.
 * Of functions, the first call is noted.
 */
void syntax_strangers(const jq_stranger *strangers, const limen_transform *transform,
                      limen_diag *diag);

#endif
