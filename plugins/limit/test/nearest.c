/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <string.h>

/* Longer words are no misspelt keys, and the rows below stay small. */
#define WORD_MAX 32
#define DISTANCE_MAX 2

static size_t
get_least(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein's distance between two words of at most WORD_MAX bytes. */
static size_t
measure_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[WORD_MAX + 1];

	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

			diagonal = row[j];
			row[j] = get_least(change, row[j] + 1, row[j - 1] + 1);
		}
	}
	return row[b_length];
}

const char *
nearest_word(const char *text, size_t length, const char *const *words)
{
	const char *nearest = NULL;
	size_t least = DISTANCE_MAX + 1;

	if (length > WORD_MAX)
		return NULL;
	for (; *words != NULL; words++) {
		size_t word_length = strlen(*words);
		size_t distance;

		if (word_length > WORD_MAX)
			continue;
		distance = measure_distance(text, length, *words, word_length);
		if (distance >= least || distance >= word_length || distance >= length)
			continue;
		least = distance;
		nearest = *words;
	}
	return nearest;
}
