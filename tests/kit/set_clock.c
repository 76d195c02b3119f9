/* SPDX-License-Identifier: Apache-2.0 */
#include "set_clock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic time_t shift;
static _Atomic time_t pace;
static _Atomic time_t ahead;

void
set_clock(time_t later)
{
	atomic_store(&shift, later);
}

void
set_clock_step(time_t step)
{
	atomic_store(&pace, step);
}

void
set_clock_ahead(time_t seconds)
{
	atomic_store(&ahead, seconds);
}

/* Only what is visible takes the place of libc's. */
#pragma GCC visibility push(default)
int clock_gettime(clockid_t clock, struct timespec *out);
#pragma GCC visibility pop

int
clock_gettime(clockid_t clock, struct timespec *out)
{
	int result = (int)syscall(SYS_clock_gettime, clock, out);

	if (clock == CLOCK_REALTIME)
		out->tv_sec += atomic_load(&shift);
	if (clock == CLOCK_MONOTONIC)
		out->tv_sec += atomic_fetch_add(&ahead, atomic_load(&pace));
	return result;
}
