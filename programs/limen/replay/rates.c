/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.c - simulates token buckets over the arrivals, and finds the lowest qps and then the
 * lowest burst by bisection.  Levels are integers in fractions of a token: no rounding.
 */
#include "rates.h"

#include <math.h>
#include <string.h>

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
	bucket *buckets = g_new0(bucket, arrivals_keys(what, type) + 1);
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

size_t
rates_counted(const arrivals *what, int type)
{
	size_t count = 0;

	for (guint i = 0; i < what->items->len; i++)
		count += g_array_index(what->items, arrival, i).keys[type] != ARRIVAL_NO_KEY;
	return count;
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

/* Bisects qps and then burst: with more tokens, never more events are refused. */
rate
rates_find(const arrivals *what, int type, const rate_goal *goal)
{
	size_t most = (size_t)floor((double)rates_counted(what, type) * (100 - goal->share) / 100 +
	                            1e-9);
	int64_t low = 1;
	int64_t high = 1;
	rate found;

	while (high < RATE_MAX &&
	       rates_refused(what, type, (rate){ high, burst_of(high, goal->window) }, NULL) > most) {
		low = high + 1;
		high = MIN(high * 2, RATE_MAX);
	}
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		rate tried = { middle, burst_of(middle, goal->window) };

		if (rates_refused(what, type, tried, NULL) > most)
			low = middle + 1;
		else
			high = middle;
	}
	found.qps = high;
	low = 1;
	high = burst_of(found.qps, goal->window);
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (rates_refused(what, type, (rate){ found.qps, middle }, NULL) > most)
			low = middle + 1;
		else
			high = middle;
	}
	found.burst = lift(high, goal->headroom);
	found.qps = lift(found.qps, goal->headroom);
	return found;
}
