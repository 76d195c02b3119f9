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

#include "../../support/zone.h"

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
