/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coverage.h - which months, days, hours ... a run touches.
 *
 * Pure computation; used by run-schedule.c.  Values are those of a zone that is
 * given or, without one, of the zone the start of the run is written in.  A run touches the
 * value of every moment from its start to its end, both included, however many
 * times that wraps around.
 */
#ifndef LIMEN_PLUGINS_RUN_SCHEDULE_COVERAGE_H
#define LIMEN_PLUGINS_RUN_SCHEDULE_COVERAGE_H

#include <limen/request.h>
#include <limen/diag.h>
#include <limen/duration.h>

/* ---- zone.c: how far the clocks of a time zone are from UTC at any moment ---- */

typedef struct zone zone;

/*
 * Opens the zone of the IANA name 'name', or that of the process for "local".  Returns
 * NULL with a problem at 'where' if there is no such zone, or no zone database.
 */
zone *zone_open(const char *name, limen_value where, limen_diag *diag);

/* NULL is fine. */
void zone_close(zone *self);

/* Returns the offset in seconds east of UTC that is in force at 'time'. */
int32_t zone_offset(const zone *self, limen_time time);

/*
 * Returns the first moment after 'start' and not after 'end' with another offset than that
 * of 'start', to the second, or 'end' + 1 if there is none.  An offset must last a week.
 */
limen_time zone_change(const zone *self, limen_time start, limen_time end);

/* The fields of a schedule in the order in which mismatches are reported. */
typedef enum coverage_field {
	COVERAGE_YEAR = 0,
	COVERAGE_MONTH = 1,
	COVERAGE_WEEK = 2,
	COVERAGE_WEEKDAY = 3,
	COVERAGE_DAY = 4,
	COVERAGE_HOUR = 5,
	COVERAGE_MINUTE = 6,
	COVERAGE_SECOND = 7
} coverage_field;

#define COVERAGE_FIELDS 8

/*
 * The field values that a run covers.  Years are an interval; every other field has at most 60
 * values and is a set: bit V for value V.  The year's set is not used.
 */
typedef struct coverage {
	int64_t first_year;
	int64_t last_year;
	uint64_t sets[COVERAGE_FIELDS];
} coverage;

/*
 * Computes what 'run' touches, which must not end before it starts.  Bounded:
 * a few hundred steps for any length of a run.
 */
void coverage_of_run(const limen_run *run, coverage *out);

/* The same by the clocks of 'where'. */
void coverage_in_zone(const limen_run *run, const zone *where, coverage *out);

#endif
