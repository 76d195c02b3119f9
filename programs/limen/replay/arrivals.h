/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrivals.h - collects the times of recorded events and the EventRateLimit buckets of each,
 * for "limen suggest".
 */
#ifndef LIMEN_PROGRAM_ARRIVALS_H
#define LIMEN_PROGRAM_ARRIVALS_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>
#include <stdint.h>

/* The types of limit, in the order of the output. */
enum { TYPE_SERVER, TYPE_NAMESPACE, TYPE_USER, TYPE_SOURCE_AND_OBJECT, TYPES };

/* The arrival has no bucket of this type. */
#define ARRIVAL_NO_KEY UINT32_MAX

/* Largest number of arrivals kept, 24 bytes each. */
#define ARRIVALS_MAX ((size_t)4000000)

typedef struct arrival {
	limen_time time;
	uint32_t keys[TYPES]; /* numbers from 0 */
} arrival;

typedef struct arrivals {
	GArray *items;               /* arrival */
	GHashTable *numbers[TYPES];  /* key -> its number + 1 */
	GHashTable *recorded;        /* uid of an Event -> occurrences counted so far */
	bool full;                   /* some arrivals were dropped */
	size_t ignored;              /* documents that are not about events */
} arrivals;

void arrivals_start(arrivals *self);
void arrivals_finish(arrivals *self);

/*
 * Adds the events of 'document': a line of the decision log, an Event, a list of Events, or an
 * Event in the form of "kubectl get --output-watch-events".  Other documents are only counted.
 */
void arrivals_add(arrivals *self, limen_value document);

/* Sorts the arrivals by time; rates_refused() and the like need that. */
void arrivals_sort(arrivals *self);

/* Returns the number of buckets of 'type'. */
size_t arrivals_keys(const arrivals *self, int type);

#endif
