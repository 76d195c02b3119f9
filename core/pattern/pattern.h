/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.h - a bound on what the compiled patterns of one load may take.
 *
 * PCRE2 makes of twenty characters as much as 40 KB, so that the size of a policy bounds
 * nothing.  Modules compile patterns by a public function that knows no load: the
 * allowance belongs to the thread that loads.
 */
#ifndef LIMEN_CORE_PATTERN_PATTERN_H
#define LIMEN_CORE_PATTERN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Room for some 50,000 patterns of a usual size. */
#define PATTERNS_BYTES_MAX ((size_t)256 << 20)

typedef struct pattern_allowance {
	size_t spent; /* bytes */
} pattern_allowance;

/*
 * The patterns that this thread compiles from now on count in 'allowance', which is borrowed;
 * with NULL, in none.  Returns the one before.
 */
pattern_allowance *pattern_allowance_use(pattern_allowance *allowance);

/* What has been spent of the allowance of this thread. */
size_t pattern_allowance_spent(void);

/* Is there room for 'bytes' in it? */
bool pattern_allowance_holds(size_t bytes);

/* Takes 'bytes', also more than there is room for. */
void pattern_allowance_spend(size_t bytes);

#endif
