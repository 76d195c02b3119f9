/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.c - stands before the daemon's record_decision(): the linker sends the calls here.
 * Owns whom they go to.
 */
#include "recorder.h"

#include <stddef.h>

static void (*taker)(service *shared, const record *made);

void __real_record_decision(service *shared, const record *made);
void __wrap_record_decision(service *shared, const record *made);

void
recorder_set(void (*take)(service *shared, const record *made))
{
	taker = take;
}

void
__wrap_record_decision(service *shared, const record *made)
{
	if (taker != NULL)
		taker(shared, made);
	else
		__real_record_decision(shared, made);
}
