/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.h - the days, ISO weeks, months and years of a time zone. */
#ifndef LIMEN_PLUGINS_LIMIT_RATE_CALENDAR_H
#define LIMEN_PLUGINS_LIMIT_RATE_CALENDAR_H

#include <limen/store.h>

#include "../../support/zone.h"

typedef struct calendar {
	const zone *zone; /* NULL: UTC */
	limen_unit unit;
} calendar;

/*
 * limen_table_spec.find_period of a struct calendar.  A period begins when the clocks of the zone
 * first show its first day, and is named by the number of that day from the epoch.
 */
void calendar_find(const void *self, limen_time time, limen_period *out);

#endif
