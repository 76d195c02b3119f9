/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_clock.h - sets the clock of the system for the whole process, modules and
 * libraries included.  A program that is linked with it has the clock_gettime() of
 * set_clock.c instead of libc's.
 */
#ifndef LIMEN_TESTS_KIT_SET_CLOCK_H
#define LIMEN_TESTS_KIT_SET_CLOCK_H

#include <time.h>

#define SET_CLOCK_DAY ((time_t)24 * 3600)

/* From now on the time of day is so many seconds later than it is; back with 0. */
void set_clock(time_t later);

/*
 * From now on each look at the clock that only runs forward moves it on by so many seconds;
 * with 0 it runs as ever.
 */
void set_clock_step(time_t step);

/* From now on that clock is so many seconds ahead of the system's; waits end by the latter. */
void set_clock_ahead(time_t seconds);

#endif
