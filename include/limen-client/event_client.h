/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-client/event_client.h - what a program that sends events asks before it sends
 * one, and tells when it has been answered.
 *
 * The client drops an event that is answered 429, and all others for the time of
 * the answer's Retry-After (event-rate-limit, "Client Behavior").  Retries would
 * turn a burst into a flood.
 *
 *	static limen_event_client client = LIMEN_EVENT_CLIENT_INIT;
 *
 *	if (!limen_event_client_may_send(&client, monotonic_nanoseconds()))
 *		return;
 *	status = post(event, retry_after);
 *	wait = limen_event_client_parse(retry_after, time(NULL));
 *	if (limen_event_client_answered(&client, status, wait, monotonic_nanoseconds()) ==
 *	    LIMEN_EVENT_FAILED)
 *		keep(event);
 *
 * This file has no dependencies: copy or include it; there is no library to link.
 * Use one client per server, from any number of threads.
 */
#ifndef LIMEN_EVENT_CLIENT_H
#define LIMEN_EVENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The functions below are C, also for C++ compilers. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* No server can silence a client for longer than this, in seconds. */
#ifndef LIMEN_EVENT_SILENCE_MAX
#define LIMEN_EVENT_SILENCE_MAX 3600
#endif

/* The fields are private.  A zeroed one is ready, too. */
typedef struct limen_event_client {
	int64_t silent_until; /* nanoseconds of the caller's clock; 0: never was silent */
} limen_event_client;

/* A client that has not been refused yet. */
#define LIMEN_EVENT_CLIENT_INIT { 0 }

/* The outcome of sending an event. */
typedef enum limen_event_fate {
	LIMEN_EVENT_SENT = 0,      /* the server has it */
	LIMEN_EVENT_ABANDONED = 1, /* too many: forget it */
	LIMEN_EVENT_FAILED = 2     /* anything else: send it again or not, as ever */
} limen_event_fate;

/*
 * May an event be sent?  If not, it is to be abandoned.  'now' is in nanoseconds
 * of a clock that only runs forward, such as CLOCK_MONOTONIC.
 */
static inline bool
limen_event_client_may_send(const limen_event_client *client, int64_t now)
{
	int64_t until = __atomic_load_n(&client->silent_until, __ATOMIC_ACQUIRE);

	return until == 0 || now >= until;
}

/*
 * Records an answer to an event: the HTTP status 'status' and a Retry-After of
 * 'wait' seconds, or -1 if there was none, which does not pause the client.  The
 * longest pause of several answers applies.
 */
static inline limen_event_fate
limen_event_client_answered(limen_event_client *client, int status, int64_t wait, int64_t now)
{
	int64_t before = __atomic_load_n(&client->silent_until, __ATOMIC_RELAXED);
	int64_t until;

	if (status >= 200 && status < 300)
		return LIMEN_EVENT_SENT;
	if (status != 429)
		return LIMEN_EVENT_FAILED;
	if (wait <= 0)
		return LIMEN_EVENT_ABANDONED;
	if (wait > LIMEN_EVENT_SILENCE_MAX)
		wait = LIMEN_EVENT_SILENCE_MAX;
	until = now + wait * 1000000000;
	while (before < until &&
	       !__atomic_compare_exchange_n(&client->silent_until, &before, until, true,
	                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		continue;
	return LIMEN_EVENT_ABANDONED;
}

/* Private: days from 1970-01-01 to a day of the Gregorian calendar; years from 1970 on. */
static inline int64_t
limen_event_client_days(int year, int month, int day)
{
	/* March is the first month, so that leap days come last. */
	int64_t years = month > 2 ? year : year - 1;
	int64_t months = month > 2 ? month - 3 : month + 9;

	return years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day -
	       719469;
}

/* Private: reads one of the three forms of a date in RFC 9110, 5.6.7, to its end. */
static inline bool
limen_event_client_scan(const char *text, struct tm *out, char month[4])
{
	int end = 0;

	if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &out->tm_mday,
	           month, &out->tm_year, &out->tm_hour, &out->tm_min, &out->tm_sec, &end) == 6 &&
	    end > 0)
		return text[end] == '\0';
	if (sscanf(text, "%*9[A-Za-z], %2d-%3[A-Za-z]-%2d %2d:%2d:%2d GMT%n", &out->tm_mday,
	           month, &out->tm_year, &out->tm_hour, &out->tm_min, &out->tm_sec, &end) == 6 &&
	    end > 0) {
		out->tm_year += out->tm_year < 70 ? 2000 : 1900;
		return text[end] == '\0';
	}
	return sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4d%n", month,
	              &out->tm_mday, &out->tm_hour, &out->tm_min, &out->tm_sec, &out->tm_year,
	              &end) == 6 &&
	       end > 0 && text[end] == '\0';
}

/* Private: is 'value' in 'least' .. 'most'? */
static inline bool
limen_event_client_within(int value, int least, int most)
{
	return value >= least && value <= most;
}

/* Private: seconds since 1970 of such a date, or -1. */
static inline int64_t
limen_event_client_date(const char *text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char name[4] = "";
	const char *found;
	struct tm date;

	memset(&date, 0, sizeof(date));
	if (!limen_event_client_scan(text, &date, name) || strlen(name) != 3)
		return -1;
	found = strstr(months, name);
	if (found == NULL || (found - months) % 3 != 0 ||
	    !limen_event_client_within(date.tm_year, 1970, 9999) ||
	    !limen_event_client_within(date.tm_mday, 1, 31) ||
	    !limen_event_client_within(date.tm_hour, 0, 23) ||
	    !limen_event_client_within(date.tm_min, 0, 59) ||
	    !limen_event_client_within(date.tm_sec, 0, 60))
		return -1;
	return limen_event_client_days(date.tm_year, (int)(found - months) / 3 + 1, date.tm_mday) *
	               86400 +
	       date.tm_hour * 3600 + date.tm_min * 60 + date.tm_sec;
}

/*
 * Returns the seconds that the value of a Retry-After field stands for (RFC 9110,
 * 10.2.3): a number, or a date, which is compared with 'today', in seconds since
 * 1970.  -1 if it is NULL or makes no sense.
 */
static inline int64_t
limen_event_client_parse(const char *value, int64_t today)
{
	size_t digits;
	int64_t date;

	if (value == NULL)
		return -1;
	value += strspn(value, " \t");
	digits = strspn(value, "0123456789");
	if (digits > 0) {
		if (value[digits + strspn(value + digits, " \t")] != '\0')
			return -1;
		return digits > 10 ? LIMEN_EVENT_SILENCE_MAX : (int64_t)strtoll(value, NULL, 10);
	}
	date = limen_event_client_date(value);
	if (date < 0)
		return -1;
	return date > today ? date - today : 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
