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
	bool passed;
} deadline;

/* Counts steps that are about to be made.  True: they must not be, nor any after them. */
static inline bool
deadline_passed(deadline *of, size_t steps)
{
	of->steps += steps;
	if (of->steps < DEADLINE_STEPS)
		return of->passed;
	of->steps = 0;
	if (limen_request_time_left(of->request) == 0)
		of->passed = true;
	return of->passed;
}

#endif
