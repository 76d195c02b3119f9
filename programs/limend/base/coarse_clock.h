/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarse_clock.h - limen_host_monotonic() as of the last tick of the kernel, a few milliseconds
 * ago: for bounds of a quarter of a second and more that each request reads.
 */
#ifndef LIMEND_COARSE_CLOCK_H
#define LIMEND_COARSE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t
coarse_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
