/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadline.h - whether the time for the decision is over.
 *
 * A tenant's own LimitRanges times a tenant's own pod can be hours of work.  The clock is
 * read every 1,000 steps, such as a resource or a name looked up: reading it costs more than
 * most decisions have to compare.
 */
#ifndef LIMEN_LIMITRANGER_DEADLINE_H
#define LIMEN_LIMITRANGER_DEADLINE_H

#include <limen/host.h>
#include <limen/request.h>

#define DEADLINE_STEPS ((size_t)1000)
#define DEADLINE_TEXT  "the deadline of the decision has passed"

typedef struct deadline {
	const limen_request *request;
	size_t steps; /* since the clock was read */
	bool leave_early; /* no further checks: the time is over, or enough is known */
} deadline;

/* Counts steps that are about to be made.  True: they must not be, nor any after them. */
static inline bool
must_leave(deadline *end, size_t steps)
{
	end->steps += steps;
	if (end->steps < DEADLINE_STEPS)
		return end->leave_early;
	end->steps = 0;
	if (limen_request_time_left(end->request) == 0)
		end->leave_early = true;
	return end->leave_early;
}

#endif
