/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remaining.c - parses unsigned durations in the notation of Go (time.ParseDuration) and computes
 * the time left for a decision: the smaller of the daemon's timeout and the client's, minus the
 * time since the request arrived.
 */
#include "remaining.h"

#include <limen/host.h>
#include <string.h>

#include "arguments.h"

#define DURATION_MOST (INT64_C(100) * 365 * 86400 * LIMEN_SECOND)

static const struct {
	const char *name;
	double microseconds;
} units[] = {
	/* A unit stands after the longer units that begin with it: "m" after "ms". */
	{ "ms", 1e3 }, { "us", 1 },    { "ns", 1e-3 },
	{ "h", 3600e6 }, { "m", 60e6 }, { "s", 1e6 },
};

/* Reads digits with at most one point; at least one digit must be there. */
static bool
read_number(const char **at, double *out)
{
	size_t length = strspn(*at, "0123456789.");
	char *end;

	/* It reads more than digits and a point, such as 1e3, or less, such as of 1.2.3. */
	*out = g_ascii_strtod(*at, &end);
	if (length == 0 || end != *at + length)
		return false;
	*at = end;
	return true;
}

static bool
read_unit(const char **at, double *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (!g_str_has_prefix(*at, units[i].name))
			continue;
		*at += strlen(units[i].name);
		*out = units[i].microseconds;
		return true;
	}
	return false;
}

bool
remaining_parse(const char *text, limen_duration *out)
{
	double total = 0;

	/* time.ParseDuration accepts "0" without a unit. */
	if (strcmp(text, "0") == 0) {
		*out = 0;
		return true;
	}
	do {
		double number = 0;
		double unit = 0;

		if (!read_number(&text, &number) || !read_unit(&text, &unit))
			return false;
		total += number * unit;
		if (!(total < (double)DURATION_MOST))
			return false;
	} while (*text != '\0');
	/* 0 means no bound, so a fraction of a microsecond becomes 1. */
	*out = total > 0 && total < 1 ? 1 : (limen_duration)total;
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
