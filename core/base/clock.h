/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the time that buckets fill by.
 */
#ifndef LIMEN_CORE_BASE_CLOCK_H
#define LIMEN_CORE_BASE_CLOCK_H

#include <limen/types.h>

/*
 * Wall time as it was when this process first asked, and what passed since.
 * Somebody who sets the clock neither fills buckets nor keeps them from filling.
 */
limen_time clock_steady(void);

#endif
