/* SPDX-License-Identifier: Apache-2.0 */
/*
 * level.c - refills a bucket, returns tokens to it and computes the wait for an amount of
 * tokens.  Products that overflow 64 bits are computed in 128 bits.
 */
#include "level.h"

#include "../wide.h"

/*
 * Returns (a * b + more) / divisor and stores what is left over; of a quotient of more than 64
 * bits, UINT64_MAX and nothing.
 */
static uint64_t
scale(uint64_t a, uint64_t b, uint64_t more, uint64_t divisor, uint64_t *rest)
{
	uint64_t product;
	wide number;

	if (!__builtin_mul_overflow(a, b, &product) &&
	    !__builtin_add_overflow(product, more, &product)) {
		*rest = product % divisor;
		return product / divisor;
	}
	number = (wide)a * b + more;
	if ((uint64_t)(number >> 64) >= divisor)
		return UINT64_MAX;
	*rest = (uint64_t)(number % divisor);
	return (uint64_t)(number / divisor);
}

static uint64_t
common_factor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

rate
level_rate(const limen_table_spec *spec)
{
	uint64_t factor = common_factor((uint64_t)spec->tokens, (uint64_t)spec->period);
	uint64_t rest = 0;
	rate how = {
		.tokens = (uint64_t)spec->tokens / factor,
		.period = (uint64_t)spec->period / factor,
		.burst = spec->burst,
	};

	how.fill = scale((uint64_t)how.burst, how.period, how.tokens - 1, how.tokens, &rest);
	return how;
}

level
level_full(const rate *how, limen_time now)
{
	return (level){ .time = now, .tokens = how->burst };
}

void
level_fill(level *one, const rate *how, limen_time now)
{
	uint64_t elapsed = (uint64_t)now - (uint64_t)one->time;
	uint64_t room = (uint64_t)(how->burst - one->tokens);
	uint64_t gained = room;
	uint64_t rest = 0;

	if (now <= one->time)
		return;
	one->time = now;
	if (room > 0 && elapsed <= how->fill)
		gained = scale(elapsed, how->tokens, one->part, how->period, &rest);
	if (gained < room) {
		one->tokens += (int64_t)gained;
		one->part = rest;
	} else {
		one->tokens = how->burst;
		one->part = 0;
	}
}

limen_duration
level_wait(const level *one, const rate *how, int64_t amount, limen_time now)
{
	uint64_t missing = (uint64_t)(amount - one->tokens);
	uint64_t rest = 0;
	uint64_t wait;

	if (amount > how->burst)
		return -1;
	/* The missing units, rounded up to whole microseconds. */
	wait = scale(missing - 1, how->period, how->period - one->part + how->tokens - 1,
	             how->tokens, &rest);
	if (one->time > now &&
	    __builtin_add_overflow(wait, (uint64_t)one->time - (uint64_t)now, &wait))
		return INT64_MAX;
	return wait > INT64_MAX ? INT64_MAX : (limen_duration)wait;
}

void
level_give(level *one, const rate *how, int64_t amount)
{
	if (amount < how->burst - one->tokens) {
		one->tokens += amount;
		return;
	}
	one->tokens = how->burst;
	one->part = 0;
}
