/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calendar.h - the proleptic Gregorian calendar and ISO 8601 weeks in integer
 * arithmetic, without the C library's time functions.
 *
 * Days are counted from 1970-01-01, which is day 0.  Every function is exact
 * for years of up to ten digits on either side of zero, far beyond what
 * limen_time can hold; year 0 is the year before year 1, as in ISO 8601.
 */
#ifndef LIMEN_CORE_SCALAR_CALENDAR_H
#define LIMEN_CORE_SCALAR_CALENDAR_H

#include <limen/duration.h>

#define CALENDAR_DAY_SECONDS 86400

/* The years that Python's datetime, and so pScheduler, can represent. */
#define CALENDAR_YEAR_MIN 1
#define CALENDAR_YEAR_MAX 9999

bool calendar_is_leap(int64_t year);

/* Returns the number of days of 'month', 1..12. */
int calendar_month_days(int64_t year, int month);

/* Returns the day number of a date; 'day' may lie outside the month. */
int64_t calendar_day_number(int64_t year, int month, int64_t day);

/* The inverse of calendar_day_number(). */
void calendar_date(int64_t number, int64_t *year, int *month, int *day);

/* Returns the ISO weekday, 1 Monday .. 7 Sunday. */
int calendar_weekday(int64_t number);

/* Returns the ISO week 1..53 that a day is in; early January may be in the old year's last. */
int calendar_week(int64_t number);

/* Returns the number of the Monday that starts ISO week 1 of 'year'. */
int64_t calendar_week_one(int64_t year);

/* Returns how many ISO weeks 'year' has, 52 or 53. */
int calendar_week_count(int64_t year);

/* Splits 'time', seen 'offset' seconds east of UTC, into a day and the microseconds of it. */
void calendar_split(limen_time time, int32_t offset, int64_t *number, int64_t *microseconds);

/* Says whether a day lies in the years CALENDAR_YEAR_MIN to CALENDAR_YEAR_MAX. */
bool calendar_in_range(int64_t number);

#endif
