/* SPDX-License-Identifier: Apache-2.0 */
/* deadline.c - reads the clock for deadline_passed(). */
#include "deadline.h"

#include <limen/host.h>

void
deadline_look(deadline *of)
{
	int64_t end;

	of->steps = 0;
	if (limen_request_deadline(of->request, &end) && limen_host_monotonic() >= end)
		of->passed = true;
}
