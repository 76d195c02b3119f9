/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.c - the two clocks of the system that modules may read, and a third made
 * of them.
 */
#include "clock.h"

#include <limen/host.h>
#include <stdatomic.h>
#include <time.h>

#include "compiler.h"

int64_t
limen_host_monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

limen_time
limen_host_wall_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (limen_time)now.tv_sec * LIMEN_SECOND + now.tv_nsec / 1000;
}

limen_time
clock_steady(void)
{
	/* From the one clock to the other; 0: not known yet. */
	static _Atomic limen_time distance;
	limen_time passed = limen_host_monotonic() / 1000;
	limen_time known = atomic_load_explicit(&distance, memory_order_relaxed);
	limen_time measured;

	if (known != 0)
		return known + passed;
	measured = limen_host_wall_time() - passed;
	/* All threads go by what the first one measured. */
	if (atomic_compare_exchange_strong(&distance, &known, measured))
		known = measured;
	return known + passed;
}

OUTLINE int64_t
clock_deadline(limen_duration timeout)
{
	int64_t now = limen_host_monotonic();
	int64_t deadline;

	if (timeout <= 0)
		return now;
	if (__builtin_mul_overflow(timeout, 1000, &deadline) ||
	    __builtin_add_overflow(deadline, now, &deadline))
		return INT64_MAX;
	return deadline;
}
