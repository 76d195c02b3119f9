/* SPDX-License-Identifier: Apache-2.0 */
/*
 * budget.h - bounds on what the values of a document or a reply cost limen's own memory.  A value
 * of two bytes of JSON can take 400 bytes in libjq, and keys can be made to collide in its hash
 * table.
 */
#ifndef LIMEN_SUPPORT_JQ_BUDGET_H
#define LIMEN_SUPPORT_JQ_BUDGET_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bounds of one input or output: values in all, levels, bytes of memory. */
#define BUDGET_VALUES ((size_t)1000000)
#define BUDGET_DEPTH  2000
#define BUDGET_BYTES  ((size_t)32 << 20)

/* The remaining bounds. */
typedef struct budget {
	size_t values;
	size_t bytes;
} budget;

/* Returns 'times' the bounds of one value. */
budget budget_start(size_t times);

/*
 * Charges one value of 'kind' with 'count' bytes or members; returns false over a bound.  The
 * elements of an array are charged separately.
 */
bool budget_take(budget *left, jv_kind kind, size_t count);

/* Counts the keys of one object by the chain of libjq's hash table that they fall into. */
typedef struct collisions {
	uint8_t *chains; /* for the caller to free; NULL: the object is too small to matter */
	uint32_t mask;
} collisions;

/* Expects 'count' keys.  Returns false when memory is short. */
bool collisions_open(collisions *made, size_t count);

/* Counts 'key', which is not consumed; returns false if its chain is too long. */
bool collisions_add(collisions *of, jv key);

#endif
