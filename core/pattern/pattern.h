/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.h - bounds the memory that the compiled patterns of one load take.
 *
 * PCRE2 compiles twenty characters to as much as 40 KB, so the size of a policy does not
 * bound the memory.  Modules compile patterns by a public function that has no load as
 * parameter, so the allowance belongs to the thread that loads.
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

/* Returns how many bytes of this thread's allowance are spent. */
size_t pattern_allowance_spent(void);

/* Is there room for 'bytes' in it? */
bool pattern_allowance_holds(size_t bytes);

/* Spends 'bytes', even if the allowance does not hold them. */
void pattern_allowance_spend(size_t bytes);

#endif
