/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extent.h - how much a value is when what its parts share counts each time: printed,
 * compared and copied, "reduce range(40) as $i (1; [., .])" is no small value.
 */
#ifndef LIMEN_SUPPORT_JQ_EXTENT_H
#define LIMEN_SUPPORT_JQ_EXTENT_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

/* Counted so far; starts as zeros. */
typedef struct extent {
	unsigned nodes;
	size_t weight;
} extent;

/* Counts one more node; false: too many.  As many are enough as an input may have. */
bool extent_count(extent *so_far);

/* Adds the memory of 'value' without its parts, not consumed; false: too much. */
bool extent_weigh(extent *so_far, jv value);

/* Is all of 'value', not consumed, within these bounds, and not nested too deeply to walk? */
bool extent_fits(jv value);

#endif
