/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/duration.h - ISO 8601 durations and timestamps, exact to the
 * microsecond, and the calendar fields of a timestamp.
 *
 * All functions are pure except that the zone of a timestamp written without
 * one is the local time zone of the process (see tzset(3)).
 *
 * Any number of threads may call them, but none while another calls tzset(3) or changes TZ.
 */
#ifndef LIMEN_DURATION_H
#define LIMEN_DURATION_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* A point in time that remembers the zone it was written in. */
typedef struct limen_timestamp {
	limen_time time;  /* the instant */
	int32_t offset;   /* seconds east of UTC in force at that instant */
	bool zoned;       /* was a zone written?  If not, 'offset' is local time's */
} limen_timestamp;

/* A timestamp's fields in its own zone. */
typedef struct limen_calendar {
	int64_t year;
	int month;     /* 1..12 */
	int day;       /* 1..31 */
	int week;      /* ISO 8601 week, 1..53 */
	int weekday;   /* ISO 8601: 1 Monday .. 7 Sunday */
	int hour;      /* 0..23 */
	int minute;    /* 0..59 */
	int second;    /* 0..59 */
} limen_calendar;

/* A day of the Gregorian calendar, in no zone. */
typedef struct limen_date {
	int32_t year;  /* 1..9999 */
	int32_t month; /* 1..12 */
	int32_t day;   /* 1..31 */
} limen_date;

/* How a duration is read. */
enum {
	/*
	 * Read a duration as pScheduler reads the one of a run: a sign, decimal
	 * commas, and years and months of zero are fine too.
	 */
	LIMEN_DURATION_RUN = 1 << 0,
	/* Read also numbers with units, as people write them: "5s", "1h30m", "250ms". */
	LIMEN_DURATION_SHORT = 1 << 1
};

/*
 * Reads an ISO 8601 duration of weeks, days, hours, minutes and seconds, each
 * of which may have a fraction ("P1W2DT3H4M5.5S", "PT0.25H"); years and months
 * are refused because their length varies.  All fields are added up exactly and
 * the sum is rounded once, to the nearest microsecond, halves to the even one.
 * LIMEN_DURATION_SHORT adds up to seven numbers, each with one of w, d, h, m, s,
 * ms and us.
 *
 * Returns LIMEN_OK, LIMEN_EINVAL, or LIMEN_ERANGE when the duration or its
 * negative does not fit.  'why', if not NULL, then receives a static text: with
 * LIMEN_DURATION_RUN pScheduler's own ("Invalid ISO duration"), without it one
 * that completes "'X' is ..." ("not a valid ISO 8601 duration").
 */
LIMEN_API int limen_duration_parse(const char *text, size_t length, unsigned flags,
                                   limen_duration *out, const char **why);

/* The largest text limen_duration_print() writes, with its final NUL. */
#define LIMEN_DURATION_TEXT_MAX 64

/*
 * Writes 'duration' in days, hours, minutes and seconds, leaving out what is
 * zero ("P1DT1M30.5S", "PT0S").  A negative one begins with "-", which only
 * LIMEN_DURATION_RUN reads back.
 */
LIMEN_API void limen_duration_print(limen_duration duration,
                                    char out[LIMEN_DURATION_TEXT_MAX]);

/* How a timestamp is read. */
enum {
	/*
	 * Read a timestamp as pScheduler reads the start of a run: anything
	 * after a complete time is ignored, except another "T".
	 */
	LIMEN_TIMESTAMP_RUN = 1 << 0
};

/*
 * Reads an ISO 8601 timestamp of the years 1 to 9999: a calendar, week or
 * ordinal date in basic or extended form, "T", a time of day with an optional
 * fraction of its last field (rounded to the nearest microsecond, halves to the
 * even one), and an optional zone ("Z", "+hh", "+hhmm", "+hh:mm"; a lower-case
 * "z" says nothing, as in pScheduler).  A date without its day means the first
 * of the month or week; 24:00 is the end of its day.
 *
 * Without a zone the time is local.  Where clocks are put back the earlier of
 * the two instants is meant; a time that is skipped is read with the offset in
 * force before the change (RFC 5545 section 3.3.5).
 *
 * Returns LIMEN_OK or LIMEN_EINVAL; 'why', if not NULL, then receives a static
 * text as pScheduler words it ("Invalid ISO8601 date").
 */
LIMEN_API int limen_timestamp_parse(const char *text, size_t length, unsigned flags,
                                    limen_timestamp *out, const char **why);

/* The largest text limen_timestamp_print() writes, with its final NUL. */
#define LIMEN_TIMESTAMP_TEXT_MAX 64

/*
 * Writes 'timestamp' in extended form in its own zone ("Z" for offset 0).  Local
 * offsets that are not whole minutes are cut to minutes; the instant stays the
 * same.  Years outside 0 to 9999 have a sign (ISO 8601's expanded form).
 */
LIMEN_API void limen_timestamp_print(const limen_timestamp *timestamp,
                                     char out[LIMEN_TIMESTAMP_TEXT_MAX]);

/* Makes a timestamp of 'time' in the local time zone; it counts as written without a zone. */
LIMEN_API void limen_timestamp_local(limen_time time, limen_timestamp *out);

/*
 * Adds 'duration' to 'timestamp', keeping its offset.  Returns LIMEN_OK, or
 * LIMEN_ERANGE when the result is not between the years 1 and 9999 there.
 */
LIMEN_API int limen_timestamp_add(const limen_timestamp *timestamp, limen_duration duration,
                                  limen_timestamp *out);

/* Takes 'timestamp' apart into fields in its own zone. */
LIMEN_API void limen_calendar_get(const limen_timestamp *timestamp, limen_calendar *out);

LIMEN_END_DECLS

#endif
