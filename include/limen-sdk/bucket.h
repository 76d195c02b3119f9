/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-sdk/bucket.h - the arithmetic of one bucket, for stores: how it fills, what it gives
 * out and how long to wait.  The stores of limen use it themselves.
 *
 * All numbers are integers, so that nothing is lost to rounding however a bucket is asked.
 * A bucket holds whole tokens and a part of the next one, counted in units of 1/period of a
 * token; every microsecond brings 'tokens' such units.
 *
 * This header is not part of the ABI: it may change with any version of limen.  A module
 * compiles it in, and goes on working with the version that it was compiled with.
 * It needs GCC or Clang, for integers of 128 bits.
 */
#ifndef LIMEN_SDK_BUCKET_H
#define LIMEN_SDK_BUCKET_H

#include <limen/store.h>

/* The functions below are C, also for C++ compilers. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* How the buckets of a table fill. */
typedef struct limen_rate {
	uint64_t tokens; /* every 'period' microseconds; the two have no common factor */
	uint64_t period;
	int64_t burst;
	uint64_t fill; /* how long any bucket needs at most to be full; UINT64_MAX: longer */
} limen_rate;

/* The level of a bucket; a store keeps it by key, and a bucket that it does not keep is full. */
typedef struct limen_level {
	limen_time time; /* when it was this; never moves back */
	int64_t tokens;  /* 0..burst */
	uint64_t part;   /* below the rate's period; 0 in a full bucket */
} limen_level;

/* Private: products of two numbers of 64 bits; sums wrap around. */
__extension__ typedef unsigned __int128 limen_level_wide;

/*
 * Private: returns (a * b + more) / divisor and stores what is left over; of a quotient of
 * more than 64 bits, UINT64_MAX and nothing.
 */
static inline uint64_t
limen_level_scale(uint64_t a, uint64_t b, uint64_t more, uint64_t divisor, uint64_t *rest)
{
	uint64_t product;
	limen_level_wide number;

	if (!__builtin_mul_overflow(a, b, &product) &&
	    !__builtin_add_overflow(product, more, &product)) {
		*rest = product % divisor;
		return product / divisor;
	}
	number = (limen_level_wide)a * b + more;
	if ((uint64_t)(number >> 64) >= divisor)
		return UINT64_MAX;
	*rest = (uint64_t)(number % divisor);
	return (uint64_t)(number / divisor);
}

/* Returns the rate of a table, reduced, so that equal rates have equal members. */
static inline limen_rate
limen_rate_of(const limen_table_spec *spec)
{
	uint64_t factor = (uint64_t)spec->tokens;
	uint64_t other = (uint64_t)spec->period;
	uint64_t rest = 0;
	limen_rate rate;

	while (other != 0) {
		rest = factor % other;
		factor = other;
		other = rest;
	}
	rate.tokens = (uint64_t)spec->tokens / factor;
	rate.period = (uint64_t)spec->period / factor;
	rate.burst = spec->burst;
	rate.fill = limen_level_scale((uint64_t)rate.burst, rate.period, rate.tokens - 1,
	                              rate.tokens, &rest);
	return rate;
}

/* Returns the level of a bucket that was never asked. */
static inline limen_level
limen_level_full(const limen_rate *rate, limen_time now)
{
	limen_level level = { now, rate->burst, 0 };

	return level;
}

/* Adds the tokens that have come since.  An earlier 'now' changes nothing. */
static inline void
limen_level_fill(limen_level *level, const limen_rate *rate, limen_time now)
{
	uint64_t elapsed = (uint64_t)now - (uint64_t)level->time;
	uint64_t room = (uint64_t)(rate->burst - level->tokens);
	uint64_t gained = room;
	uint64_t rest = 0;

	if (now <= level->time)
		return;
	level->time = now;
	if (room > 0 && elapsed <= rate->fill)
		gained = limen_level_scale(elapsed, rate->tokens, level->part, rate->period, &rest);
	if (gained < room) {
		level->tokens += (int64_t)gained;
		level->part = rest;
	} else {
		level->tokens = rate->burst;
		level->part = 0;
	}
}

/* Returns the time until 'amount' tokens, more than there are, will be there; -1 for never. */
static inline limen_duration
limen_level_wait(const limen_level *level, const limen_rate *rate, int64_t amount, limen_time now)
{
	uint64_t missing = (uint64_t)(amount - level->tokens);
	uint64_t rest = 0;
	uint64_t wait;

	if (amount > rate->burst)
		return -1;
	/* The missing units, rounded up to whole microseconds. */
	wait = limen_level_scale(missing - 1, rate->period,
	                         rate->period - level->part + rate->tokens - 1, rate->tokens,
	                         &rest);
	if (level->time > now &&
	    __builtin_add_overflow(wait, (uint64_t)level->time - (uint64_t)now, &wait))
		return INT64_MAX;
	return wait > INT64_MAX ? INT64_MAX : (limen_duration)wait;
}

/*
 * Fills the bucket and takes 'amount' tokens out of it.  If it holds fewer it stores the time
 * until it will have them, -1 for never, in 'wait' and returns false.
 */
static inline bool
limen_level_take(limen_level *level, const limen_rate *rate, int64_t amount, limen_time now,
                 limen_duration *wait)
{
	limen_level_fill(level, rate, now);
	if (level->tokens >= amount) {
		level->tokens -= amount;
		return true;
	}
	*wait = limen_level_wait(level, rate, amount, now);
	return false;
}

/* Puts 'amount' tokens back, as far as they fit. */
static inline void
limen_level_give(limen_level *level, const limen_rate *rate, int64_t amount)
{
	if (amount < rate->burst - level->tokens) {
		level->tokens += amount;
		return;
	}
	level->tokens = rate->burst;
	level->part = 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
