/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the time that buckets fill by.
 */
#ifndef LIMEN_CORE_BASE_CLOCK_H
#define LIMEN_CORE_BASE_CLOCK_H

#include <limen/types.h>

/*
 * Returns the wall time at the first call in this process plus the time since.
 * Setting the system clock neither fills buckets nor stops them from filling.
 */
limen_time clock_steady(void);

/*
 * Returns when 'timeout' is over by limen_host_monotonic(): now if it is negative; INT64_MAX
 * (never) if that is centuries away.
 */
int64_t clock_deadline(limen_duration timeout);

#endif
