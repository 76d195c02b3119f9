/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.c - simulates token buckets over the arrivals, and finds the lowest qps and then the
 * lowest burst by bisection.  Levels are integers in fractions of a token: no rounding.
 */
#include "suggest.h"

#include <math.h>

/*
 * Parts of a token: at one token a second, one part comes each microsecond, so nothing is
 * rounded.
 */
#define TOKEN LIMEN_SECOND

typedef struct bucket {
	limen_time last;
	int64_t level; /* in parts of a token */
	bool used;
} bucket;

/* Adds the tokens of the time since the last event; a new bucket is full. */
static void
fill(bucket *one, rate limit, limen_time now)
{
	int64_t most = limit.burst * TOKEN;
	int64_t more;

	if (!one->used) {
		*one = (bucket){ now, most, true };
		return;
	}
	if (__builtin_mul_overflow(now - one->last, limit.qps, &more) ||
	    more >= most - one->level)
		one->level = most;
	else
		one->level += more;
	one->last = now;
}

size_t
rates_refused(const arrivals *what, int type, rate limit, char *marks)
{
	bucket *buckets = g_new0(bucket, g_hash_table_size(what->numbers[type]) + 1);
	size_t refused = 0;

	for (guint i = 0; i < what->items->len; i++) {
		const arrival *one = &g_array_index(what->items, arrival, i);
		bucket *mine;

		if (one->keys[type] == ARRIVAL_NO_KEY)
			continue;
		mine = &buckets[one->keys[type]];
		fill(mine, limit, one->time);
		if (mine->level >= TOKEN) {
			mine->level -= TOKEN;
			continue;
		}
		refused++;
		if (marks != NULL)
			marks[i] = 1;
	}
	g_free(buckets);
	return refused;
}

static int64_t
burst_of(int64_t qps, int64_t window)
{
	int64_t burst;

	return __builtin_mul_overflow(qps, window, &burst) ? RATE_MAX : MIN(burst, RATE_MAX);
}

static int64_t
lift(int64_t value, double factor)
{
	double more = ceil((double)value * factor);

	return more >= (double)RATE_MAX ? RATE_MAX : (int64_t)more;
}

/*
 * Returns the lowest number from 'low' to 'high' that refuses 'most' events at most: as burst of
 * 'qps' or, if that is 0, as qps with a burst of 'window' seconds.  With more tokens, never more
 * events are refused.
 */
static int64_t
bisect(const arrivals *what, int type, size_t most, int64_t low, int64_t high, int64_t qps,
       int64_t window)
{
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		rate tried = qps > 0 ? (rate){ qps, middle }
		                     : (rate){ middle, burst_of(middle, window) };

		if (rates_refused(what, type, tried, NULL) > most)
			low = middle + 1;
		else
			high = middle;
	}
	return high;
}

rate
rates_find(const arrivals *what, int type, size_t counted, const rate_goal *goal)
{
	size_t most = (size_t)floor((double)counted * (100 - goal->share) / 100 + 1e-9);
	int64_t low = 1;
	int64_t high = 1;
	int64_t burst;

	while (high < RATE_MAX &&
	       rates_refused(what, type, (rate){ high, burst_of(high, goal->window) }, NULL) > most) {
		low = high + 1;
		high = MIN(high * 2, RATE_MAX);
	}
	high = bisect(what, type, most, low, high, 0, goal->window);
	burst = bisect(what, type, most, 1, burst_of(high, goal->window), high, 0);
	return (rate){ lift(high, goal->headroom), lift(burst, goal->headroom) };
}
