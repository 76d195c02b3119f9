/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guards.h - definitions that stand between a script and those of jq's own
 * functions that could harm a process that serves others.
 */
#ifndef LIMEN_SUPPORT_JQ_GUARDS_H
#define LIMEN_SUPPORT_JQ_GUARDS_H

#include "text.h"

/*
 * What guards tell limen (native.c) by way of the function "debug": an array
 * that begins with one of these.
 */
#define GUARDS_HALT    "limen: halt"
#define GUARDS_MATCH   "limen: match"
#define GUARDS_HINT    "limen: hint"
#define GUARDS_FITS    "limen: fits"
#define GUARDS_COMPARE "limen: compare"
#define GUARDS_CONTAIN "limen: contain"

/*
 * Adds the definitions that 'script' needs and 'prelude', which comes behind them, may
 * need as well.  'prelude' may be NULL.
 */
void guards_begin(text *out, const char *prelude, const char *script);

/* Adds all others that 'script' needs, and hint() if it 'has_hints'. */
void guards_add(text *out, const char *script, bool has_hints);

#endif
