/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remaining.c - parses durations, such as the "10s" of an API server (Go's notation), and computes
 * the time left for a decision: the smaller of the daemon's timeout and the client's, minus the
 * time since the request arrived.
 */
#include "remaining.h"

#include <limen/duration.h>
#include <limen/host.h>
#include <string.h>

#include "arguments.h"

#define DURATION_MOST (INT64_C(100) * 365 * 86400 * LIMEN_SECOND)

bool
remaining_parse(const char *text, limen_duration *out)
{
	limen_duration read = 0;

	/* Go's time.ParseDuration accepts "0" without a unit. */
	if (strcmp(text, "0") != 0 &&
	    (limen_duration_parse(text, strlen(text), LIMEN_DURATION_SHORT, &read, NULL) != LIMEN_OK ||
	     read >= DURATION_MOST))
		return false;
	*out = read;
	return true;
}

/* Returns the smaller of the daemon's and the client's bound; 0 if there is none. */
static limen_duration
find_bound(limen_duration allowed, const http_request *request)
{
	const char *timeout = arguments_find(&request->arguments, "timeout");
	limen_duration bound = MAX(allowed, 0);
	limen_duration waits = 0;

	if (timeout == NULL || !remaining_parse(timeout, &waits) || waits == 0)
		return bound;
	return bound == 0 || waits < bound ? waits : bound;
}

bool
http_is_hurried(limen_duration allowed, const http_request *request)
{
	limen_duration bound = find_bound(allowed, request);

	return bound > 0 && (allowed <= 0 || bound < allowed);
}

limen_duration
http_remaining(limen_duration allowed, const http_request *request, bool *expired)
{
	limen_duration bound = find_bound(allowed, request);
	limen_duration left = bound - (limen_host_monotonic() - request->arrived) / 1000;

	*expired = bound > 0 && left <= 0;
	if (bound == 0)
		return 0;
	return left > 0 ? left : 1;
}
