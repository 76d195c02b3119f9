/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run-schedule.c - the limit that wants the calendar fields of a run to be
 * among values listed (limits.rst, "run-schedule"): all the values the run
 * touches or, with "overlap", at least one.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "coverage.h"

struct run_schedule {
	limen_ranges ranges[COVERAGE_FIELDS];
	bool given[COVERAGE_FIELDS];   /* an empty list is given and matches nothing */
	uint64_t sets[COVERAGE_FIELDS]; /* the ranges as in struct coverage; not of years */
	bool overlap;
	bool invert;
	const char *timezone; /* NULL: the zone that the start of a run is written in */
	zone *zone;
};

static const char *const field_names[COVERAGE_FIELDS] = {
	[COVERAGE_YEAR] = "year",
	[COVERAGE_MONTH] = "month",
	[COVERAGE_WEEK] = "week",
	[COVERAGE_WEEKDAY] = "weekday",
	[COVERAGE_DAY] = "day",
	[COVERAGE_HOUR] = "hour",
	[COVERAGE_MINUTE] = "minute",
	[COVERAGE_SECOND] = "second"
};

#define FIELD(field, name, low, high, text)                                        \
	LIMEN_OPT_RANGES(struct run_schedule, ranges[field], .key = name,          \
	                 .minimum = low, .maximum = high, .help = text)

/* Weekday 0 and the largest year are what pScheduler's schema admits. */
static const limen_option options[] = {
	FIELD(COVERAGE_YEAR, "year", 1, 294276, "The years in which the run happens"),
	FIELD(COVERAGE_MONTH, "month", 1, 12, "The months in which the run happens"),
	FIELD(COVERAGE_WEEK, "week", 1, 53, "The ISO 8601 weeks in which the run happens"),
	FIELD(COVERAGE_WEEKDAY, "weekday", 0, 7,
	      "The days of the week, 1 (Monday) to 7 (Sunday), on which the run happens"),
	FIELD(COVERAGE_DAY, "day", 1, 31, "The days of the month on which the run happens"),
	FIELD(COVERAGE_HOUR, "hour", 0, 23,
	      "The hours in which the run happens, such as [22, {\"lower\": 0, \"upper\": 5}]"),
	FIELD(COVERAGE_MINUTE, "minute", 0, 59, "The minutes in which the run happens"),
	FIELD(COVERAGE_SECOND, "second", 0, 59, "The seconds in which the run happens"),
	LIMEN_OPT_BOOL(struct run_schedule, overlap, .key = "overlap", .fallback = "false",
	               .help = "Whether one common value of each field is enough"),
	LIMEN_OPT_BOOL(struct run_schedule, invert, .key = "invert", .fallback = "false",
	               .help = "Whether to fail matching runs and pass other runs"),
	LIMEN_OPT_STRING(struct run_schedule, timezone, .key = "timezone",
	                 .help = "The zone to evaluate runs in, an IANA name or 'local'; default: "
	                         "the zone of the run",
	                 .note = "not in pScheduler"),
	LIMEN_OPT_END
};

static uint64_t
range_set(limen_range range)
{
	if (range.lower > range.upper || range.lower < 0 || range.upper > 63)
		return 0;
	return (UINT64_MAX << range.lower) & (UINT64_MAX >> (63 - range.upper));
}

/* Tells of elements that are accepted, as by pScheduler, and can never match. */
static void
warn_of_range(limen_range range, coverage_field field, limen_value where, limen_diag *diag)
{
	if (field == COVERAGE_WEEKDAY && (range.lower == 0 || range.upper == 0)) {
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
		               "weekday 0 never matches; Monday is 1 and Sunday is 7");
	} else if (range.lower > range.upper) {
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
		               "the range holds nothing, because its lower end is above its upper");
		if (field != COVERAGE_YEAR)
			limen_diag_hint(diag, "write two ranges: %d to %d, and %d to %d",
			                (int)range.lower, (int)options[field].maximum,
			                field == COVERAGE_WEEKDAY ? 1 : (int)options[field].minimum,
			                (int)range.upper);
	}
}

static void
open_field(struct run_schedule *schedule, coverage_field field, limen_opening *opening,
           limen_diag *diag)
{
	const limen_ranges *ranges = &schedule->ranges[field];
	limen_value list = limen_opening_option(opening, field_names[field]);
	limen_iter iter = limen_iter_start(list);
	limen_value element;

	schedule->given[field] = limen_value_exists(list);
	for (size_t i = 0; i < ranges->count; i++) {
		schedule->sets[field] |= range_set(ranges->items[i]);
		if (limen_iter_next(&iter, NULL, &element))
			warn_of_range(ranges->items[i], field, element, diag);
	}
}

/*
 * Does it show in 'field' that pScheduler takes a run that wraps around for its
 * start to the highest value, and 0 to the lowest?  Not in a set of all values,
 * unless it lacks the 0 and all of the run has to be in it.
 */
static bool
shows_wrapping(const struct run_schedule *schedule, coverage_field field)
{
	int64_t lowest = field == COVERAGE_WEEKDAY ? 1 : options[field].minimum;
	limen_range range = { .lower = lowest, .upper = options[field].maximum };
	uint64_t all = range_set(range);
	uint64_t set = schedule->sets[field];

	if ((set & all) == all)
		return !schedule->overlap && (set & 1) == 0;
	return set != 0;
}

/* Years do not wrap around, and a file with a week does not load at all there. */
static bool
differs_on_wrapping(const struct run_schedule *schedule)
{
	for (int field = COVERAGE_MONTH; field < COVERAGE_FIELDS; field++)
		if (field != COVERAGE_WEEK && shows_wrapping(schedule, (coverage_field)field))
			return true;
	return false;
}

/* Notes where pScheduler refuses or decides differently (docs/reference/compatibility.md). */
static void
add_notes(const struct run_schedule *schedule, limen_opening *opening, limen_diag *diag)
{
	limen_value data = limen_opening_data(opening);
	bool depends_on_zone = false; /* years hardly do, and seconds do not */

	for (int field = COVERAGE_MONTH; field < COVERAGE_SECOND; field++)
		depends_on_zone = depends_on_zone || schedule->given[field];
	if (schedule->timezone == NULL && depends_on_zone)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, data,
		               "without 'timezone' a run is judged in the zone that its requester "
		               "wrote: 22:30+10:30 is noon in UTC");
	if (schedule->ranges[COVERAGE_WEEK].count > 0)
		limen_diag_add(
			diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, "week"),
			"pScheduler 5.2 refuses a file with 'week'; limen takes weeks 1 to 53");
	if (limen_value_exists(limen_value_get(data, "invert")))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_get(data, "invert"),
		               "pScheduler 5.2 refuses 'invert' inside the data; limen takes it as "
		               "beside the data");
	if (differs_on_wrapping(schedule))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, data,
		               "pScheduler 5.2 checks only part of a run that crosses midnight or the end of "
		               "an hour, week, month or year; limen checks all of it");
}

static int
open_run_schedule(void *self, limen_opening *opening, limen_diag *diag)
{
	struct run_schedule *schedule = self;

	for (int field = 0; field < COVERAGE_FIELDS; field++)
		open_field(self, (coverage_field)field, opening, diag);
	add_notes(self, opening, diag);
	if (schedule->timezone == NULL)
		return LIMEN_OK;
	schedule->zone = zone_open(schedule->timezone, limen_opening_option(opening, "timezone"),
	                           diag);
	return schedule->zone == NULL ? LIMEN_ECONFIG : LIMEN_OK;
}

static void
close_run_schedule(void *self)
{
	zone_close(((struct run_schedule *)self)->zone);
}

static bool
years_overlap(const limen_ranges *ranges, int64_t first, int64_t last)
{
	for (size_t i = 0; i < ranges->count; i++) {
		const limen_range *range = &ranges->items[i];

		if (range->lower <= range->upper && range->lower <= last && range->upper >= first)
			return true;
	}
	return false;
}

/* Returns the last of the years listed without a gap from 'year' on, or year - 1. */
static int64_t
years_reach(const limen_ranges *ranges, int64_t year)
{
	int64_t reach = year - 1;

	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->items[i].lower <= year && ranges->items[i].upper > reach)
			reach = ranges->items[i].upper;
	return reach;
}

static bool
years_cover(const limen_ranges *ranges, int64_t first, int64_t last)
{
	while (first <= last) {
		int64_t reach = years_reach(ranges, first);

		if (reach < first)
			return false;
		first = reach + 1;
	}
	return true;
}

static bool
field_matches(const struct run_schedule *schedule, coverage_field field, const coverage *run)
{
	const limen_ranges *years = &schedule->ranges[COVERAGE_YEAR];

	if (!schedule->given[field])
		return true;
	if (field == COVERAGE_YEAR)
		return schedule->overlap ?
			years_overlap(years, run->first_year, run->last_year) :
			years_cover(years, run->first_year, run->last_year);
	if (schedule->overlap)
		return (run->sets[field] & schedule->sets[field]) != 0;
	return (run->sets[field] & ~schedule->sets[field]) == 0;
}

/* Reads the run and what it touches, or gives the reason why it cannot be read. */
static limen_verdict
read_run(const struct run_schedule *schedule, const limen_request *req, limen_reply *reply,
         coverage *out)
{
	const char *why = "";
	limen_run run;
	int result = limen_request_run(req, &run, &why);

	if (result == LIMEN_ENOENT)
		return LIMEN_SKIP;
	if (result == LIMEN_OK && run.duration >= 0) {
		if (schedule->zone == NULL)
			coverage_of_run(&run, out);
		else
			coverage_in_zone(&run, schedule->zone, out);
		return LIMEN_PASS;
	}
	limen_reply_reason(reply, "%s", result == LIMEN_OK ? "Run ends before it starts" : why);
	return LIMEN_ERROR;
}

/*
 * Modules leave inversion to the core; this one alone obeys an "invert" of its
 * own, because the documented example writes it inside the data, where only the
 * module sees it.  The outcome is worded as the core words its own.
 */
static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct run_schedule *schedule = self;
	coverage run;
	limen_verdict verdict = read_run(schedule, req, reply, &run);

	if (verdict != LIMEN_PASS)
		return verdict;
	for (int field = 0; field < COVERAGE_FIELDS; field++) {
		if (field_matches(schedule, (coverage_field)field, &run))
			continue;
		if (schedule->invert)
			return LIMEN_PASS;
		limen_reply_reason(reply, "Mismatch on %s", field_names[field]);
		verdict = LIMEN_FAIL;
	}
	if (!schedule->invert)
		return verdict;
	limen_reply_reason(reply, "Passed but inverted");
	return LIMEN_FAIL;
}

LIMEN_LIMIT("run-schedule",
	.flags = LIMEN_MODULE_RUNS_ONLY,
	.version = LIMEN_VERSION,
	.summary = "Passes runs that happen at certain times of the calendar or clock",
	.options = options,
	.instance_size = sizeof(struct run_schedule),
	.open = open_run_schedule,
	.close = close_run_schedule,
	.check = check);
