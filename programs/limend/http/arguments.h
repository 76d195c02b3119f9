/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.h - reads, checks and finds the arguments of a query or a form.
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

/* Most arguments of a query; far more than any endpoint has. */
#define QUERY_MAX 64

/*
 * Cuts the authority off a '*target' in absolute form ("http://HOST/PATH", or "https://" with
 * TLS) in place and moves '*target' to the path.  Returns the authority, or NULL if there is none.
 */
char *query_take_authority(char **target, bool tls);

/*
 * Splits 'length' bytes of 'text', which a NUL follows, in place.  Adds the arguments, which point
 * into it, to 'out', a GArray of http_pair.  Returns false if there are more than 'most'.  With
 * 'why' it reads a form: a "%" without two digits, which a query keeps as it is, or a NUL in a
 * name is a fault, too.
 */
bool query_read(char *text, size_t length, size_t most, GArray *out, fault *why);

/*
 * Splits 'target' in place and adds the arguments, which point into it, to 'out', a GArray of
 * http_pair.  Returns false if there are more than QUERY_MAX.
 */
bool query_split(char *target, GArray *out);

#endif
