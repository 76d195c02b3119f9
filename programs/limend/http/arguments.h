/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.h - the arguments of a query or a form: which there may be, and what
 * they say.
 *
 * None is ignored: a caller that misspells "status=verdict" and looks at the
 * status alone would take every refusal for a yes.
 */
#ifndef LIMEND_ARGUMENTS_H
#define LIMEND_ARGUMENTS_H

#include "base/fault.h"
#include "http.h"

/*
 * Is each one of 'known' (ended by NULL), there once, and text in UTF-8 without
 * a NUL, and "timeout" a duration?  False with a fault.
 */
bool arguments_check(const arguments *all, const char *const *known, fault *why);

/* Returns the value of 'name', or NULL. */
const char *arguments_find(const arguments *all, const char *name);

/* Stores whether "status=verdict" is there; false with a fault for another status. */
bool arguments_verdict(const arguments *all, bool *verdict, fault *why);

#endif
