/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest.h - the known word closest to one that is not known, for hints.
 *
 *	nearest best = nearest_to(word);
 *	nearest_offer(&best, "limits"); ...
 *	if (best.word != NULL) "did you mean ..."
 */
#ifndef LIMEN_CORE_NEAREST_H
#define LIMEN_CORE_NEAREST_H

#include <stddef.h>

typedef struct nearest {
	const char *wanted;
	const char *word; /* the closest so far, or NULL if none is close */
	size_t distance;
} nearest;

nearest nearest_to(const char *wanted);
void nearest_offer(nearest *best, const char *word);

#endif
