/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.c - stands before the daemon's metrics_count_decision(): the linker sends the calls here.
 * Owns whom they go to.
 */
#include "recorder.h"

#include <stddef.h>

static void (*taker)(const record *made);

void __real_metrics_count_decision(metrics *counted, const record *made);
void __wrap_metrics_count_decision(metrics *counted, const record *made);

void
recorder_set(void (*take)(const record *made))
{
	taker = take;
}

void
__wrap_metrics_count_decision(metrics *counted, const record *made)
{
	if (taker != NULL)
		taker(made);
	else
		__real_metrics_count_decision(counted, made);
}
