/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest.h - the known word that somebody who mistyped most likely meant.
 */
#ifndef LIMEN_PROGRAM_NEAREST_H
#define LIMEN_PROGRAM_NEAREST_H

#include <stddef.h>

typedef struct nearest {
	const char *typed;
	const char *word; /* the best so far, or NULL if none is close */
	size_t distance;
} nearest;

nearest nearest_to(const char *typed);
void nearest_offer(nearest *best, const char *word);

#endif
