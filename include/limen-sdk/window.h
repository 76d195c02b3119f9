/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-sdk/window.h - the arithmetic of one window, for stores: what was used in a period, what
 * is left and how long to wait.  As limen-sdk/bucket.h: integers only, and not part of the ABI.
 */
#ifndef LIMEN_SDK_WINDOW_H
#define LIMEN_SDK_WINDOW_H

#include <limen-sdk/bucket.h>

/* The functions below are C, also for C++ compilers. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* The use of one key.  A later period begins with nothing used. */
typedef struct limen_count {
	int64_t number; /* of the period; never moves back */
	int64_t used;   /* in it */
	union {
		limen_time end;  /* of it */
		int64_t before; /* LIMEN_METER_SLIDING: used in the period before it */
	};
} limen_count;

/* Returns 'time' + 'duration', or the last moment. */
static inline limen_time
limen_time_after(limen_time time, limen_duration duration)
{
	limen_time sum;

	if (__builtin_add_overflow(time, duration, &sum))
		return duration < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/* Finds the period that 'time' is in, of those of 'length' that follow each other from the epoch. */
static inline void
limen_period_aligned(limen_duration length, limen_time time, limen_period *out)
{
	int64_t rest = time % length;

	if (rest < 0)
		rest += length;
	out->number = time / length - (time < 0 && time % length != 0);
	out->begin = limen_time_after(time, -rest);
	out->end = limen_time_after(time, length - rest);
}

/* Returns the state of a key that has used nothing: before all periods. */
static inline limen_count
limen_count_start(void)
{
	limen_count count;

	count.number = INT64_MIN;
	count.used = 0;
	count.before = 0;
	return count;
}

/* Moves on to a later 'period'; an earlier one changes nothing. */
static inline void
limen_count_move(limen_count *count, const limen_period *period, bool sliding)
{
	if (period->number < count->number)
		return;
	if (period->number > count->number) {
		if (sliding)
			count->before = period->number == count->number + 1 ? count->used : 0;
		count->number = period->number;
		count->used = 0;
	}
	/* New data of a time zone may move the end of the same period. */
	if (!sliding)
		count->end = period->end;
}

/* Takes back what was counted in the period 'number', if that still counts. */
static inline void
limen_count_give(limen_count *count, int64_t cost, int64_t number, bool sliding)
{
	int64_t *used = &count->used;

	if (sliding && count->number == number + 1)
		used = &count->before;
	else if (count->number != number)
		return;
	*used = *used > cost ? *used - cost : 0;
}

/* ---- sliding windows: the period before counts by the share of this one that is not over ---- */

/* Returns the beginning of the period of 'count'. */
static inline limen_time
limen_sliding_begin(const limen_count *count, limen_duration length)
{
	limen_time begin;

	if (__builtin_mul_overflow(count->number, length, &begin))
		return count->number < 0 ? INT64_MIN : INT64_MAX;
	return begin;
}

/* Returns what counts as used at 'now': a fraction counts as 1. */
static inline int64_t
limen_sliding_used(const limen_count *count, limen_duration length, limen_time now)
{
	limen_time begin = limen_sliding_begin(count, length);
	uint64_t passed = now > begin ? (uint64_t)now - (uint64_t)begin : 0;
	uint64_t rest = 0;

	int64_t used;

	if (passed >= (uint64_t)length)
		return count->used;
	used = (int64_t)limen_level_scale((uint64_t)count->before, (uint64_t)length - passed,
	                                  (uint64_t)length - 1, (uint64_t)length, &rest);
	return limen_time_after(used, count->used);
}

/* Returns the moment from which 'cost', at most 'limit' and refused now, passes. */
static inline limen_time
limen_sliding_due(const limen_count *count, int64_t limit, limen_duration length, int64_t cost)
{
	limen_time begin = limen_sliding_begin(count, length);
	int64_t room = limit - count->used - cost;
	int64_t used = count->before;
	uint64_t rest = 0;

	if (room < 0) {
		begin = limen_time_after(begin, length);
		room = limit - cost;
		used = count->used;
	}
	return limen_time_after(limen_time_after(begin, length),
	                        -(limen_duration)limen_level_scale((uint64_t)room, (uint64_t)length,
	                                                           0, (uint64_t)used, &rest));
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
