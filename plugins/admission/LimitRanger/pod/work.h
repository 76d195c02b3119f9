/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.h - how much one look at an object may cost.
 *
 * A tenant's own LimitRanges times a tenant's own pod can be hours.  So what is about to be
 * compared is counted before: a unit is a name or label looked up, a bound compared, or eight
 * bytes of a pattern, or one of what is held against it (memmem() takes as long for what is
 * almost the same at each place), or a digit of a quantity that has more than most, some
 * nanoseconds each.  The clock, which costs more than most decisions have to compare, is read
 * every so many units.
 */
#ifndef LIMEN_LIMITRANGER_WORK_H
#define LIMEN_LIMITRANGER_WORK_H

#include <limen/request.h>
#include <stdint.h>

/*
 * More is an error, also for those who give no deadline.  A hundred containers under a hundred
 * LimitRanges of a hundred bounds each are a few millions.
 */
#define WORK_MAX  UINT64_C(100000000)
#define WORK_MORE "a pod and its LimitRanges take at most 100 million comparisons"

#define WORK_LATE "the deadline of the decision has passed"

/* Between two looks at the clock: well below a millisecond, and more than an ordinary pod has. */
#define WORK_STEP UINT64_C(20000)

typedef struct work {
	const limen_request *request;
	uint64_t done;
	uint64_t next;   /* when to look again */
	const char *why; /* it is over; NULL: it is not */
} work;

static inline work
work_start(const limen_request *req)
{
	return (work){ .request = req, .next = WORK_STEP };
}

/* Looks whether it is time to end; for work_charge(). */
bool work_look(work *of);

/* Counts what is about to be done.  False: it is not to be done, nor anything after it. */
static inline bool
work_charge(work *of, uint64_t units)
{
	of->done += units;
	return of->done < of->next || work_look(of);
}

#endif
