/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrivals.h - when events came, and which buckets of EventRateLimit each of them
 * belongs to: what "limen suggest" knows of what was recorded.
 */
#ifndef LIMEN_PROGRAM_ARRIVALS_H
#define LIMEN_PROGRAM_ARRIVALS_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>
#include <stdint.h>

/* The types of limit, in the order in which they are proposed. */
enum { TYPE_SERVER, TYPE_NAMESPACE, TYPE_USER, TYPE_SOURCE_AND_OBJECT, TYPES };

/* No bucket of this type is known. */
#define ARRIVAL_NO_KEY UINT32_MAX

/* More than this is not kept: 24 bytes each. */
#define ARRIVALS_MAX ((size_t)4000000)

typedef struct arrival {
	limen_time time;
	uint32_t keys[TYPES]; /* numbers from 0 */
} arrival;

typedef struct arrivals {
	GArray *items;               /* arrival */
	GHashTable *numbers[TYPES];  /* key -> its number + 1 */
	GHashTable *recorded;        /* uid of an Event -> how often it was counted already */
	bool full;                   /* there were more */
	size_t ignored;              /* documents about something else */
} arrivals;

void arrivals_start(arrivals *self);
void arrivals_finish(arrivals *self);

/*
 * Adds what 'document' tells: a line of the decision log, an Event, a list of Events,
 * or an Event as "kubectl get --output-watch-events" shows it.  What is about
 * something else is counted only.
 */
void arrivals_add(arrivals *self, limen_value document);

/* In the order of time, for rates_refused() and the like. */
void arrivals_sort(arrivals *self);

/* How many buckets of 'type' there are. */
size_t arrivals_keys(const arrivals *self, int type);

#endif
