/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern_allowance.c - counts the bytes of compiled patterns against PATTERNS_BYTES_MAX.  The
 * current allowance is a thread-local pointer that this file owns.
 */
#include "pattern.h"

static _Thread_local pattern_allowance *mine;

pattern_allowance *
pattern_allowance_use(pattern_allowance *allowance)
{
	pattern_allowance *before = mine;

	mine = allowance;
	return before;
}

size_t
pattern_allowance_spent(void)
{
	return mine == NULL ? 0 : mine->spent;
}

bool
pattern_allowance_holds(size_t bytes)
{
	size_t spent = pattern_allowance_spent();

	return spent <= PATTERNS_BYTES_MAX && bytes <= PATTERNS_BYTES_MAX - spent;
}

void
pattern_allowance_spend(size_t bytes)
{
	if (mine != NULL)
		mine->spent += bytes;
}
