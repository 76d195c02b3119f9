/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calendar.c - finds the period of a calendar that a moment is in.  Local days may have 23 or 25
 * hours, and no midnight or two.
 */
#include "calendar.h"

#include <limen/duration.h>

#define DAY_SECONDS 86400
#define DAY (DAY_SECONDS * LIMEN_SECOND)

/* Clocks are never further from UTC. */
#define OFFSET_MOST (26 * 3600 * LIMEN_SECOND)

/* From 0002-01-01 to 9998-01-01: limen_calendar has no other years. */
#define FIRST (-62104060800 * LIMEN_SECOND)
#define LAST (253339228800 * LIMEN_SECOND)

/* Consecutive local days, by their numbers from the epoch. */
typedef struct days {
	int64_t first;
	int64_t next; /* behind the last */
} days;

static limen_duration
offset_at(const calendar *self, limen_time time)
{
	return self->zone == NULL ? 0 : zone_offset(self->zone, time) * LIMEN_SECOND;
}

/* Returns the first moment at which the clocks show 'day' or a later one. */
static limen_time
day_begin(const calendar *self, int64_t day)
{
	limen_time wall = day * DAY;
	limen_time time = wall - OFFSET_MOST;

	if (self->zone == NULL)
		return wall;
	for (;;) {
		limen_time due = wall - offset_at(self, time);
		limen_time change = due <= time ? due : zone_change(self->zone, time, due);

		/* The clocks show it by then, or were changed beyond it. */
		if (due <= time)
			return time;
		if (change > due)
			return due;
		time = change;
	}
}

static int
month_days(int64_t year, int month)
{
	static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : lengths[month - 1];
}

/* Returns the days of the unit that the local 'day' is in. */
static days
find_days(limen_unit unit, int64_t day)
{
	limen_timestamp noon = { .time = day * DAY + DAY / 2, .zoned = true };
	limen_calendar date;
	days found = { day, day + 1 };

	limen_calendar_get(&noon, &date);
	if (unit == LIMEN_UNIT_WEEK) {
		found.first = day - (date.weekday - 1);
		found.next = found.first + 7;
	}
	if (unit == LIMEN_UNIT_MONTH || unit == LIMEN_UNIT_YEAR) {
		found.first = day - (date.day - 1);
		found.next = found.first + month_days(date.year, date.month);
	}
	if (unit == LIMEN_UNIT_YEAR) {
		for (int month = 1; month < date.month; month++)
			found.first -= month_days(date.year, month);
		for (int month = date.month + 1; month <= 12; month++)
			found.next += month_days(date.year, month);
	}
	return found;
}

void
calendar_find(const void *self, limen_time time, limen_period *out)
{
	const calendar *which = self;
	limen_time known = time < FIRST ? FIRST : time > LAST ? LAST : time;
	limen_time local = known + offset_at(which, known);
	days found = find_days(which->unit, local / DAY - (local % DAY < 0));

	/* The day before is not entered again if an hour repeats after midnight. */
	while (day_begin(which, found.next) <= known)
		found = find_days(which->unit, found.next);
	*out = (limen_period){ found.first, day_begin(which, found.first),
		               day_begin(which, found.next) };
	if (time < out->begin)
		out->begin = INT64_MIN;
	if (time >= out->end)
		out->end = INT64_MAX;
}
