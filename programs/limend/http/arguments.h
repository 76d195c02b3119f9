/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.h - checks and finds the arguments of a query or a form.
 *
 * Unknown arguments are errors: a caller that misspells "status=verdict" and looks only at the
 * HTTP status would take every refusal for an admission.
 */
#ifndef LIMEND_ARGUMENTS_H
#define LIMEND_ARGUMENTS_H

#include "base/fault.h"
#include "http.h"

/*
 * Checks that each argument is in 'known' (ended by NULL), occurs once, is UTF-8 without a NUL,
 * and that "timeout" is a duration.  Returns false with a fault otherwise.
 */
bool arguments_check(const arguments *all, const char *const *known, fault *why);

/* Returns the value of 'name', or NULL. */
const char *arguments_find(const arguments *all, const char *name);

/* Stores whether "status=verdict" is given; false with a fault for another status. */
bool arguments_verdict(const arguments *all, bool *verdict, fault *why);

#endif
