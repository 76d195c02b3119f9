/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-sdk/meter.h - what the tables of stores count with.  A store keeps a state of 24 bytes
 * for each key and looks into none: it calls these functions, under a lock of its own.
 *
 * A kind of meter (limen_meter_kind) is a case in each function: the token bucket, whose
 * arithmetic is in limen-sdk/bucket.h, or a window, in limen-sdk/window.h.  Functions that get a
 * 'period' need that of 'now' for windows; a store finds it with limen_meter_period() and may keep
 * it until it ends.  NULL: what a calendar counts in is then known only until its period ends.
 *
 * This header is not part of the ABI, as limen-sdk/bucket.h is not.
 */
#ifndef LIMEN_SDK_METER_H
#define LIMEN_SDK_METER_H

#include <limen-sdk/bucket.h>
#include <limen-sdk/window.h>

/* The functions below are C, also for C++ compilers. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* A meter counts one way for a whole table: its kind, and the prepared numbers of its spec. */
typedef struct limen_meter {
	limen_meter_kind kind;
	limen_unit unit;
	limen_rate rate; /* of a window: N as 'burst', and 'period' */
	void (*find_period)(const void *calendar, limen_time time, limen_period *out);
	const void *calendar;
} limen_meter;

/* The state of a meter for one key.  A key without state in the store has used nothing. */
typedef union limen_meter_state {
	limen_level level; /* LIMEN_METER_TOKEN */
	limen_count count; /* the other kinds */
	uint64_t words[3]; /* any kind, for stores that write it elsewhere */
} limen_meter_state;

/* Returns the meter of a table, reduced, so that equal ones have equal members. */
static inline limen_meter
limen_meter_of(const limen_table_spec *spec)
{
	limen_meter meter = { spec->kind, spec->unit, { 0, 0, 0, 0 }, spec->find_period,
		              spec->calendar };

	if (spec->kind == LIMEN_METER_TOKEN) {
		meter.rate = limen_rate_of(spec);
		return meter;
	}
	meter.rate.tokens = (uint64_t)spec->tokens;
	meter.rate.period = (uint64_t)spec->period;
	meter.rate.burst = spec->tokens;
	return meter;
}

/* Returns true if states of one meter mean the same to the other: windows may differ in N. */
static inline bool
limen_meter_equal(const limen_meter *a, const limen_meter *b)
{
	return a->kind == b->kind && a->unit == b->unit && a->rate.period == b->rate.period &&
	       (a->kind != LIMEN_METER_TOKEN ||
	        (a->rate.tokens == b->rate.tokens && a->rate.burst == b->rate.burst));
}

/* Returns the most that a key can have left. */
static inline int64_t
limen_meter_quota(const limen_meter *meter)
{
	return meter->rate.burst;
}

/* Finds the period of a window that 'now' is in. */
static inline void
limen_meter_period(const limen_meter *meter, limen_time now, limen_period *out)
{
	if (meter->kind == LIMEN_METER_CALENDAR)
		meter->find_period(meter->calendar, now, out);
	else
		limen_period_aligned((limen_duration)meter->rate.period, now, out);
}

/* Returns the state of a key that has used nothing. */
static inline limen_meter_state
limen_meter_start(const limen_meter *meter, limen_time now)
{
	limen_meter_state state;

	if (meter->kind == LIMEN_METER_TOKEN)
		state.level = limen_level_full(&meter->rate, now);
	else
		state.count = limen_count_start();
	return state;
}

/* Forgets what the key has used; a window stays in its period. */
static inline void
limen_meter_reset(const limen_meter *meter, limen_meter_state *state, limen_time now)
{
	if (meter->kind == LIMEN_METER_TOKEN) {
		state->level = limen_level_full(&meter->rate, now);
		return;
	}
	state->count.used = 0;
	if (meter->kind == LIMEN_METER_SLIDING)
		state->count.before = 0;
}

/* Brings the state to 'now'. */
static inline void
limen_meter_move(const limen_meter *meter, limen_meter_state *state, const limen_period *period,
                 limen_time now)
{
	bool sliding = meter->kind == LIMEN_METER_SLIDING;
	limen_period aligned;

	if (meter->kind == LIMEN_METER_TOKEN) {
		limen_level_fill(&state->level, &meter->rate, now);
		return;
	}
	if (period == NULL && meter->kind != LIMEN_METER_CALENDAR) {
		limen_meter_period(meter, now, &aligned);
		period = &aligned;
	}
	if (period != NULL)
		limen_count_move(&state->count, period, sliding);
	else if (now >= state->count.end)
		state->count.used = 0;
}

/* Private: what is left of a window whose state was moved to 'now'. */
static inline int64_t
limen_meter_room(const limen_meter *meter, const limen_count *count, limen_time now)
{
	int64_t used = meter->kind == LIMEN_METER_SLIDING
	                       ? limen_sliding_used(count, (limen_duration)meter->rate.period, now)
	                       : count->used;

	return used < meter->rate.burst ? meter->rate.burst - used : 0;
}

/* Private: the time until 'cost' passes, or until the period ends; -1 for never. */
static inline limen_duration
limen_meter_wait(const limen_meter *meter, const limen_count *count, int64_t cost, limen_time now)
{
	limen_time due = meter->kind == LIMEN_METER_SLIDING
	                         ? limen_sliding_due(count, meter->rate.burst,
	                                             (limen_duration)meter->rate.period, cost)
	                         : count->end;
	limen_duration wait;

	if (__builtin_sub_overflow(due, now, &wait))
		return INT64_MAX;
	return wait < 0 ? 0 : wait;
}

/* Private: limen_meter_take() of windows. */
static inline bool
limen_meter_count(const limen_meter *meter, limen_meter_state *state, const limen_period *period,
                  int64_t cost, limen_time now, limen_duration *wait)
{
	limen_meter_move(meter, state, period, now);
	/* After N was lowered a cost of 0 passes as well. */
	if (cost == 0 || cost <= limen_meter_room(meter, &state->count, now)) {
		state->count.used += cost;
		return true;
	}
	*wait = cost > meter->rate.burst ? -1 : limen_meter_wait(meter, &state->count, cost, now);
	return false;
}

/*
 * Counts 'cost' if that much is left.  Otherwise it stores the time until it will be, -1 for
 * never, in 'wait' and returns false.
 */
static inline bool
limen_meter_take(const limen_meter *meter, limen_meter_state *state, const limen_period *period,
                 int64_t cost, limen_time now, limen_duration *wait)
{
	return meter->kind == LIMEN_METER_TOKEN
	               ? limen_level_take(&state->level, &meter->rate, cost, now, wait)
	               : limen_meter_count(meter, state, period, cost, now, wait);
}

/* Returns the number of the period that the latest take counted in; 0 for tokens. */
static inline int64_t
limen_meter_number(const limen_meter *meter, const limen_meter_state *state)
{
	return meter->kind == LIMEN_METER_TOKEN ? 0 : state->count.number;
}

/* Takes back what was counted in the period 'number'. */
static inline void
limen_meter_give(const limen_meter *meter, limen_meter_state *state, int64_t cost, int64_t number)
{
	if (meter->kind == LIMEN_METER_TOKEN)
		limen_level_give(&state->level, &meter->rate, cost);
	else
		limen_count_give(&state->count, cost, number, meter->kind == LIMEN_METER_SLIDING);
}

/* Reads quota, remaining and reset at 'now'; the state stays as it is. */
static inline void
limen_meter_look(const limen_meter *meter, limen_meter_state state, const limen_period *period,
                 limen_time now, limen_reading *out)
{
	limen_meter_move(meter, &state, period, now);
	out->quota = limen_meter_quota(meter);
	out->reset = 0;
	if (meter->kind != LIMEN_METER_TOKEN) {
		out->remaining = limen_meter_room(meter, &state.count, now);
		if (meter->kind != LIMEN_METER_SLIDING || out->remaining == 0)
			out->reset = limen_meter_wait(meter, &state.count, 1, now);
		return;
	}
	out->remaining = state.level.tokens;
	if (out->remaining < out->quota)
		out->reset = limen_level_wait(&state.level, &meter->rate, out->remaining + 1, now);
}

/* Returns what is left of the quota at 'now'. */
static inline int64_t
limen_meter_left(const limen_meter *meter, limen_meter_state state, limen_time now)
{
	limen_meter_move(meter, &state, NULL, now);
	return meter->kind == LIMEN_METER_TOKEN ? state.level.tokens
	                                        : limen_meter_room(meter, &state.count, now);
}

/* Sets the members of a list of buckets that tell what is counted. */
static inline void
limen_meter_describe(const limen_meter *meter, limen_bucket *out)
{
	out->kind = meter->kind;
	out->unit = meter->unit;
	out->tokens = (int64_t)meter->rate.tokens;
	out->period = (limen_duration)meter->rate.period;
	out->burst = meter->rate.burst;
}

/* Describes the meter, and sets 'left', 'reset' and 'age'. */
static inline void
limen_meter_show(const limen_meter *meter, limen_meter_state state, limen_time now,
                 limen_bucket *out)
{
	limen_time before = meter->kind == LIMEN_METER_TOKEN ? state.level.time : now;
	limen_reading reading;

	limen_meter_describe(meter, out);
	limen_meter_look(meter, state, NULL, now, &reading);
	out->left = reading.remaining;
	out->reset = reading.reset;
	/* Decision time may be anything. */
	if (now > before && __builtin_sub_overflow(now, before, &out->age))
		out->age = INT64_MAX;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
