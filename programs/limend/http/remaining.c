/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remaining.c - parses unsigned durations in the notation of Go (time.ParseDuration) and computes
 * the time left for a decision: the smaller of the daemon's timeout and the client's, minus the
 * time since the request arrived.
 */
#include "remaining.h"

#include <limen/host.h>
#include <string.h>

#define DURATION_MOST (INT64_C(100) * 365 * 86400 * LIMEN_SECOND)

/* What is left of the text. */
typedef struct cursor {
	const char *at;
	const char *end;
} cursor;

static const struct {
	const char *name;
	double microseconds;
} units[] = {
	/* What another begins with comes behind it. */
	{ "ms", 1e3 }, { "us", 1 },    { "ns", 1e-3 },
	{ "h", 3600e6 }, { "m", 60e6 }, { "s", 1e6 },
};

/* Reads digits with at most one point; at least one digit must be there. */
static bool
read_number(cursor *from, double *out)
{
	double value = 0;
	double scale = 1;
	bool fraction = false;
	bool digits = false;

	for (; from->at < from->end; from->at++) {
		if (*from->at == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (*from->at < '0' || *from->at > '9')
			break;
		digits = true;
		if (fraction)
			scale /= 10;
		value = fraction ? value + (*from->at - '0') * scale
		                 : value * 10 + (*from->at - '0');
	}
	*out = value;
	return digits;
}

static bool
read_unit(cursor *from, double *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		size_t length = strlen(units[i].name);

		if ((size_t)(from->end - from->at) < length ||
		    memcmp(from->at, units[i].name, length) != 0)
			continue;
		from->at += length;
		*out = units[i].microseconds;
		return true;
	}
	return false;
}

bool
remaining_parse(const char *text, size_t length, limen_duration *out)
{
	cursor from = { text, text + length };
	double total = 0;

	/* time.ParseDuration: only nothing at all needs no unit. */
	if (length == 1 && text[0] == '0') {
		*out = 0;
		return true;
	}
	do {
		double number = 0;
		double unit = 0;

		if (!read_number(&from, &number) || !read_unit(&from, &unit))
			return false;
		total += number * unit;
		if (!(total < (double)DURATION_MOST))
			return false;
	} while (from.at < from.end);
	/* 0 is no bound, and however little is one. */
	*out = total > 0 && total < 1 ? 1 : (limen_duration)total;
	return true;
}

/* The smaller of the two bounds; 0 if there is neither. */
static limen_duration
find_bound(limen_duration allowed, const http_request *request)
{
	const http_pair *argument = http_argument(request, "timeout");
	limen_duration bound = MAX(allowed, 0);
	limen_duration waits = 0;

	if (argument == NULL || !remaining_parse(argument->value, argument->length, &waits) ||
	    waits == 0)
		return bound;
	return bound == 0 || waits < bound ? waits : bound;
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
