/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remaining.h - computes how long the answer to a request may still take, from the timeouts of
 * the daemon and of the client.
 */
#ifndef LIMEND_REMAINING_H
#define LIMEND_REMAINING_H

#include <limen/duration.h>

#include "http.h"

/*
 * Returns the time left for the decision, at least 1; 0 if there is no bound.  'allowed' is the
 * timeout of the daemon (0: no bound).  The argument "timeout" is the client's, in the notation
 * of Go ("10s", "1m30s"), which Kubernetes API servers use; other values are ignored.  Sets
 * '*expired' if the time is over already.
 */
limen_duration http_remaining(limen_duration allowed, const http_request *request, bool *expired);

/* Does the client wait for less time than the daemon would? */
bool http_is_hurried(limen_duration allowed, const http_request *request);

/*
 * Reads a duration (LIMEN_DURATION_SHORT), which includes what API servers write in the notation of
 * Go, or "0".  Returns false for anything else, such as negative durations, and for a hundred years
 * or more.
 */
bool remaining_parse(const char *text, limen_duration *out);

#endif
