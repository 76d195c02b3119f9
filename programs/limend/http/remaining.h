/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remaining.h - how long the answer to a request may still take: as long as the
 * daemon allows, or as the client waits if it says so.
 */
#ifndef LIMEND_REMAINING_H
#define LIMEND_REMAINING_H

#include <limen/duration.h>

#include "http.h"

/*
 * Returns what is left for the decision of 'allowed' (0: no bound), at least 1; 0 if
 * there is no bound.  The argument "timeout" is how long the client waits, written as Go does ("10s",
 * "1m30s"), which is how a Kubernetes API server says it; anything else there is
 * ignored.  '*expired': the time is over already.
 */
limen_duration http_remaining(limen_duration allowed, const http_request *request, bool *expired);

/*
 * Reads a duration as Go writes it: numbers with a unit of h, m, s, ms, us or ns,
 * or "0".  What is less than a microsecond, but not nothing, is one.  False for
 * anything else, for what is negative, and for centuries.
 */
bool remaining_parse(const char *text, limen_duration *out);

#endif
