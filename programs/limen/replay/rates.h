/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.h - how many of the recorded events a limit would have refused, and the
 * least limit that lets enough of them pass.
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

/* What is wanted of a limit. */
typedef struct rate_goal {
	double share;    /* how much of 100 has to pass */
	int64_t window;  /* for how many seconds of qps the burst may last at most */
	double headroom; /* by how much what was found is raised */
} rate_goal;

/*
 * Counts the arrivals that token buckets of 'limit' refuse, one for each key of
 * 'type', full at first.  'marks' (may be NULL) has a byte for each arrival, which
 * is set if it is refused.
 */
size_t rates_refused(const arrivals *what, int type, rate limit, char *marks);

/* How many arrivals have a key of this type. */
size_t rates_counted(const arrivals *what, int type);

/*
 * Returns the least whole qps with which, at a burst of no more than the window,
 * the share passes, and the least burst with which it does then; both raised by the
 * headroom.
 */
rate rates_find(const arrivals *what, int type, const rate_goal *goal);

#endif
