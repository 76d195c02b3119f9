/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <string.h>

#define WORD_MAX ((size_t)48)

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein's edit distance, one row of the matrix at a time. */
static size_t
distance_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[WORD_MAX + 1];

	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t above = row[j];
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			row[j] = least(above + 1, row[j - 1] + 1, change);
			diagonal = above;
		}
	}
	return row[b_length];
}

nearest
nearest_to(const char *wanted)
{
	return (nearest){ .wanted = wanted };
}

void
nearest_offer(nearest *best, const char *word)
{
	size_t wanted_length = strnlen(best->wanted, WORD_MAX + 1);
	size_t length = strnlen(word, WORD_MAX + 1);
	size_t bound = wanted_length / 3 + 1;
	size_t distance;

	if (wanted_length > WORD_MAX || length > WORD_MAX)
		return;
	distance = distance_between(best->wanted, wanted_length, word, length);
	if (distance > bound || distance >= length)
		return;
	if (best->word == NULL || distance < best->distance) {
		best->word = word;
		best->distance = distance;
	}
}
