/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest.h - "limen suggest": collects the times of recorded events and the EventRateLimit
 * buckets of each, and finds the lowest limit that admits the target share.
 */
#ifndef LIMEN_PROGRAM_SUGGEST_H
#define LIMEN_PROGRAM_SUGGEST_H

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
} arrivals;

/* ---- arrivals.c ---- */

void arrivals_start(arrivals *self);
void arrivals_finish(arrivals *self);

/*
 * Adds the events of 'document': a line of the decision log, an Event, a list of Events, or an
 * Event in the form of "kubectl get --output-watch-events".  Other documents are left out.
 */
void arrivals_add(arrivals *self, limen_value document);

/* ---- rates.c: of arrivals that are sorted by time ---- */

/* qps and burst are 32-bit integers in Kubernetes. */
#define RATE_MAX ((int64_t)INT32_MAX)

typedef struct rate {
	int64_t qps;
	int64_t burst;
} rate;

/* The target for a limit. */
typedef struct rate_goal {
	double share;    /* percentage to be admitted */
	int64_t window;  /* largest burst, in seconds of qps */
	double headroom; /* factor applied to the result */
} rate_goal;

/*
 * Counts the arrivals that token buckets of 'limit' refuse.  Each key of 'type' has a bucket,
 * full at first.  'marks' (may be NULL) has a byte for each arrival; those of refused ones are
 * set to 1.
 */
size_t rates_refused(const arrivals *what, int type, rate limit, char *marks);

/*
 * Returns the lowest whole qps that admits the share of the 'counted' arrivals with a key of
 * this type, with a burst within the window, and the lowest burst that does so at this qps; both
 * multiplied by the headroom.
 */
rate rates_find(const arrivals *what, int type, size_t counted, const rate_goal *goal);

#endif
