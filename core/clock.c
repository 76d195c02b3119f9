/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.c - the two clocks of the system that modules may read.
 */
#include <limen/host.h>
#include <time.h>

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
