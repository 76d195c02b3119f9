/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.c - implements the slow path of work_charge(): it ends the work when the budget of units
 * is spent or the deadline of the request has passed.
 */
#include "work.h"

#include <limen/host.h>

bool
work_look(work *of)
{
	int64_t deadline;

	if (of->why == NULL && of->done > WORK_MAX)
		of->why = WORK_MORE;
	else if (of->why == NULL && limen_request_deadline(of->request, &deadline) &&
	         limen_host_monotonic() >= deadline)
		of->why = WORK_LATE;
	/* Once it is over each charge comes here. */
	of->next = of->why == NULL ? of->done + WORK_STEP : 0;
	return of->why == NULL;
}
