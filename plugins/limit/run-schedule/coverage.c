/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coverage.c - the values of the calendar fields between two moments.
 *
 * Fields of fixed length (second to hour, weekday, month) are arithmetic on a
 * running count.  Days and weeks are walked, because months and ISO years
 * differ in length, but only until nothing new can come.
 */
#include "coverage.h"

#define DAY_SECONDS  86400
#define WEEK_SECONDS (7 * DAY_SECONDS)

/*
 * No 61 days in a row lack a day of the month; the longest wait is from the
 * first of a month with 30 days to the end of the next, which has 31.
 */
#define DAYS_ENOUGH 61

/*
 * No 365 weeks in a row lack week 53: from one to the next it is at most that
 * many, as from 1896 to 1903 and around every century without a leap day.
 */
#define WEEKS_ENOUGH 365

static int64_t
floor_divide(int64_t dividend, int64_t divisor)
{
	int64_t quotient = dividend / divisor;

	return dividend % divisor < 0 ? quotient - 1 : quotient;
}

/*
 * Returns the set of the values lowest..lowest+size-1 that a clock shows which
 * stands at 'value' and then moves on 'steps' times.
 */
static uint64_t
cyclic_set(int value, int64_t steps, int lowest, int size)
{
	uint64_t all = ((UINT64_C(1) << size) - 1) << lowest;
	uint64_t set = 0;

	if (steps >= size - 1)
		return all;
	for (int64_t i = 0; i <= steps; i++)
		set |= UINT64_C(1) << (lowest + (value - lowest + i) % size);
	return set;
}

/* Returns how many times a count of 'unit' seconds moves on during the run. */
static int64_t
count_steps(const limen_run *run, int64_t unit)
{
	int64_t first = floor_divide(run->start.time, LIMEN_SECOND) + run->start.offset;
	int64_t last = floor_divide(run->end.time, LIMEN_SECOND) + run->start.offset;

	return floor_divide(last, unit) - floor_divide(first, unit);
}

/* Adds the day and the week of the moment 'seconds' after the start of the run. */
static void
add_date(const limen_run *run, int64_t seconds, uint64_t *days, uint64_t *weeks)
{
	limen_timestamp moment = run->start;
	limen_calendar date;

	moment.time += seconds * LIMEN_SECOND;
	limen_calendar_get(&moment, &date);
	*days |= UINT64_C(1) << date.day;
	*weeks |= UINT64_C(1) << date.week;
}

static void
walk_dates(const limen_run *run, const limen_calendar *last, coverage *out)
{
	int64_t days = count_steps(run, DAY_SECONDS);
	int64_t weeks = days / 7;
	uint64_t ignored = 0;

	out->sets[COVERAGE_DAY] = UINT64_C(1) << last->day;
	out->sets[COVERAGE_WEEK] = UINT64_C(1) << last->week;
	for (int64_t i = 0; i < days && i < DAYS_ENOUGH; i++)
		add_date(run, i * DAY_SECONDS, &out->sets[COVERAGE_DAY], &ignored);
	for (int64_t i = 0; i <= weeks && i < WEEKS_ENOUGH; i++)
		add_date(run, i * WEEK_SECONDS, &ignored, &out->sets[COVERAGE_WEEK]);
}

void
coverage_of_run(const limen_run *run, coverage *out)
{
	limen_timestamp end = { .time = run->end.time, .offset = run->start.offset };
	limen_calendar first;
	limen_calendar last;
	int64_t months;

	limen_calendar_get(&run->start, &first);
	limen_calendar_get(&end, &last);
	months = (last.year - first.year) * 12 + last.month - first.month;
	out->first_year = first.year;
	out->last_year = last.year;
	out->sets[COVERAGE_YEAR] = 0;
	out->sets[COVERAGE_MONTH] = cyclic_set(first.month, months, 1, 12);
	out->sets[COVERAGE_WEEKDAY] =
		cyclic_set(first.weekday, count_steps(run, DAY_SECONDS), 1, 7);
	out->sets[COVERAGE_HOUR] = cyclic_set(first.hour, count_steps(run, 3600), 0, 24);
	out->sets[COVERAGE_MINUTE] = cyclic_set(first.minute, count_steps(run, 60), 0, 60);
	out->sets[COVERAGE_SECOND] = cyclic_set(first.second, count_steps(run, 1), 0, 60);
	walk_dates(run, &last, out);
}

/* Covers the time from 'start' to 'end' at one offset. */
static void
cover(limen_time start, limen_time end, int32_t offset, coverage *out)
{
	limen_run piece = {
		.start = { .time = start, .offset = offset, .zoned = true },
		.end = { .time = end, .offset = offset, .zoned = true },
	};

	coverage_of_run(&piece, out);
}

static void
join(const coverage *piece, coverage *all)
{
	if (piece->first_year < all->first_year)
		all->first_year = piece->first_year;
	if (piece->last_year > all->last_year)
		all->last_year = piece->last_year;
	for (int field = 0; field < COVERAGE_FIELDS; field++)
		all->sets[field] |= piece->sets[field];
}

/*
 * Splits the run at changes of the UTC offset.  A run that touches every value of each
 * field does so with any offset; only its years depend on the offset.
 */
void
coverage_in_zone(const limen_run *run, const zone *where, coverage *out)
{
	limen_time start = run->start.time;
	limen_time end = run->end.time;
	limen_time longest = (WEEKS_ENOUGH + 1) * WEEK_SECONDS * LIMEN_SECOND;
	coverage piece;

	cover(end, end, zone_offset(where, end), out);
	if (end - start > longest) {
		cover(start, start + longest, zone_offset(where, start), &piece);
		join(&piece, out);
		return;
	}
	while (start <= end) {
		limen_time change = zone_change(where, start, end);

		cover(start, change - 1, zone_offset(where, start), &piece);
		join(&piece, out);
		start = change;
	}
}
