/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.h - the rates of one limit: "rate", or the list "rates", in the window that the policy
 * names or the usual one of each rate.
 */
#ifndef LIMEN_PLUGINS_LIMIT_RATE_WINDOWS_H
#define LIMEN_PLUGINS_LIMIT_RATE_WINDOWS_H

#include <limen/module.h>

#include "calendar.h"

/* The most rates of one limit. */
#define WINDOWS_MAX 8

/* The tables of one rate: of tasks, and of runs. */
#define WINDOW_TABLES 2

typedef struct window {
	limen_table_spec spec;
	char period[LIMEN_DURATION_TEXT_MAX]; /* "PT1M", or "month" */
	calendar calendar;
	limen_table *tables[WINDOW_TABLES]; /* NULL: not counted */
} window;

typedef struct windows {
	const char *text;    /* the options */
	limen_strings texts;
	int kind;
	int64_t burst; /* 0: N */
	const char *timezone; /* NULL: UTC */
	zone *zone;
	size_t count;
	window items[WINDOWS_MAX];
} windows;

/* In the order of limen_meter_kind; ended by NULL. */
extern const char *const window_names[];

/* Reads the options, all of which are checked.  Reports problems; on failure nothing is kept. */
int windows_open(windows *self, limen_opening *opening, limen_diag *diag);
void windows_close(windows *self);

/*
 * Opens the tables number 'index' of all rates in 'store', named 'name' and, of a list, by their
 * periods, too.
 */
int windows_open_tables(windows *self, size_t index, const char *name, const char *keys,
                        uint64_t capacity, limen_store *store, limen_opening *opening,
                        limen_diag *diag);

/* Returns the least that a bucket of any rate can have left at most. */
int64_t windows_least(const windows *self);

#endif
