/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-sdk/meter.h - what the tables of stores count with.  A store keeps a state of 24 bytes
 * for each key and looks into none: it calls these functions, under a lock of its own.
 *
 * A kind of meter (limen_meter_kind) is a case in each function.  The first is the token
 * bucket, whose arithmetic is in limen-sdk/bucket.h.
 *
 * This header is not part of the ABI, as limen-sdk/bucket.h is not.
 */
#ifndef LIMEN_SDK_METER_H
#define LIMEN_SDK_METER_H

#include <limen-sdk/bucket.h>

/* A meter counts one way for a whole table: its kind, and the prepared numbers of its spec. */
typedef struct limen_meter {
	limen_meter_kind kind;
	limen_rate rate; /* LIMEN_METER_TOKEN */
} limen_meter;

/* The state of a meter for one key.  A key without state in the store has used nothing. */
typedef union limen_meter_state {
	limen_level level; /* LIMEN_METER_TOKEN */
	uint64_t words[3]; /* any kind, for stores that write it elsewhere */
} limen_meter_state;

/* Returns the meter of a table, reduced, so that equal ones have equal members. */
static inline limen_meter
limen_meter_of(const limen_table_spec *spec)
{
	limen_meter meter = { spec->kind, limen_rate_of(spec) };

	return meter;
}

/* Returns true if states of one meter mean the same to the other. */
static inline bool
limen_meter_equal(const limen_meter *a, const limen_meter *b)
{
	return a->kind == b->kind && a->rate.tokens == b->rate.tokens &&
	       a->rate.period == b->rate.period && a->rate.burst == b->rate.burst;
}

/* Returns the most that a key can have left. */
static inline int64_t
limen_meter_quota(const limen_meter *meter)
{
	return meter->rate.burst;
}

/* Returns the state of a key that has used nothing. */
static inline limen_meter_state
limen_meter_start(const limen_meter *meter, limen_time now)
{
	limen_meter_state state;

	state.level = limen_level_full(&meter->rate, now);
	return state;
}

/*
 * Counts 'cost' if that much is left.  Otherwise it stores the time until it will be, -1 for
 * never, in 'wait' and returns false.
 */
static inline bool
limen_meter_take(const limen_meter *meter, limen_meter_state *state, int64_t cost, limen_time now,
                 limen_duration *wait)
{
	return limen_level_take(&state->level, &meter->rate, cost, now, wait);
}

/* Takes back what was counted. */
static inline void
limen_meter_give(const limen_meter *meter, limen_meter_state *state, int64_t cost)
{
	limen_level_give(&state->level, &meter->rate, cost);
}

/* Reads quota, remaining and reset at 'now'; the state stays as it is. */
static inline void
limen_meter_look(const limen_meter *meter, limen_meter_state state, limen_time now,
                 limen_reading *out)
{
	limen_level_fill(&state.level, &meter->rate, now);
	out->quota = limen_meter_quota(meter);
	out->remaining = state.level.tokens;
	out->reset = 0;
	if (out->remaining < out->quota)
		out->reset = limen_level_wait(&state.level, &meter->rate, out->remaining + 1, now);
}

/* Returns what is left of the quota at 'now'. */
static inline int64_t
limen_meter_left(const limen_meter *meter, limen_meter_state state, limen_time now)
{
	limen_level_fill(&state.level, &meter->rate, now);
	return state.level.tokens;
}

/* Sets the members of a list of buckets that tell what is counted. */
static inline void
limen_meter_describe(const limen_meter *meter, limen_bucket *out)
{
	out->kind = meter->kind;
	out->tokens = (int64_t)meter->rate.tokens;
	out->period = (limen_duration)meter->rate.period;
	out->burst = meter->rate.burst;
}

/* Describes the meter, and sets 'left', 'reset' and 'age'. */
static inline void
limen_meter_show(const limen_meter *meter, limen_meter_state state, limen_time now,
                 limen_bucket *out)
{
	limen_time before = state.level.time;
	limen_reading reading;

	limen_meter_describe(meter, out);
	limen_meter_look(meter, state, now, &reading);
	out->left = reading.remaining;
	out->reset = reading.reset;
	/* Decision time may be anything. */
	if (now > before && __builtin_sub_overflow(now, before, &out->age))
		out->age = INT64_MAX;
}

#endif
