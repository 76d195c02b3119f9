/* SPDX-License-Identifier: Apache-2.0 */
/*
 * level.h - the arithmetic of one bucket: integers only, so that nothing is
 * lost to rounding however a bucket is asked.
 *
 * A bucket holds whole tokens and a part of the next one, counted in units of
 * 1/period of a token; every microsecond brings 'tokens' such units.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_LEVEL_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_LEVEL_H

#include <limen/store.h>

/* How buckets of a table fill. */
typedef struct rate {
	uint64_t tokens; /* every 'period' microseconds; the two have no common factor */
	uint64_t period;
	int64_t burst;
	uint64_t fill; /* how long any bucket needs at most to be full; UINT64_MAX: longer */
} rate;

typedef struct level {
	limen_time time; /* when it was this; never moves back */
	int64_t tokens;  /* 0..burst */
	uint64_t part;   /* below the rate's period; 0 in a full bucket */
} level;

rate level_rate(const limen_table_spec *spec);

level level_full(const rate *how, limen_time now);

/* Adds the tokens that have come since.  An earlier 'now' changes nothing. */
void level_fill(level *one, const rate *how, limen_time now);

/* Until 'amount' tokens, more than there are, will be there; -1 for never. */
limen_duration level_wait(const level *one, const rate *how, int64_t amount, limen_time now);

/* Puts 'amount' tokens back, as far as they fit. */
void level_give(level *one, const rate *how, int64_t amount);

#endif
