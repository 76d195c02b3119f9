/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.h - counts the recorded events that a limit would have refused, and finds the lowest
 * limit that admits the target share.
 */
#ifndef LIMEN_PROGRAM_RATES_H
#define LIMEN_PROGRAM_RATES_H

#include "arrivals.h"

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

/* Returns the number of arrivals with a key of this type. */
size_t rates_counted(const arrivals *what, int type);

/*
 * Returns the lowest whole qps that admits the share with a burst within the window, and the
 * lowest burst that does so at this qps; both multiplied by the headroom.
 */
rate rates_find(const arrivals *what, int type, const rate_goal *goal);

#endif
