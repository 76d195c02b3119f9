/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guards.h - definitions that stand between a script and those of jq's own
 * functions that could do harm in a process that serves others.
 */
#ifndef LIMEN_SUPPORT_JQ_GUARDS_H
#define LIMEN_SUPPORT_JQ_GUARDS_H

#include "text.h"

/* The message that means "halt" when a script gives it to debug. */
#define GUARDS_HALT "limen: halt"

/* Adds the definitions that 'script' needs. */
void guards_add(text *out, const char *script);

#endif
