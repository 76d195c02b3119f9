/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <glib.h>
#include <string.h>

enum { LONGEST = 40 };

nearest
nearest_to(const char *typed)
{
	return (nearest){ .typed = typed };
}

/* Insertions, deletions, replacements and swaps of neighbours that turn 'a' into 'b'. */
static size_t
count_edits(const char *a, size_t rows, const char *b, size_t columns)
{
	size_t cost[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= rows; i++)
		cost[i][0] = i;
	for (size_t j = 0; j <= columns; j++)
		cost[0][j] = j;
	for (size_t i = 1; i <= rows; i++) {
		for (size_t j = 1; j <= columns; j++) {
			size_t change = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);

			cost[i][j] = MIN(MIN(cost[i - 1][j], cost[i][j - 1]) + 1, change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost[i][j] = MIN(cost[i][j], cost[i - 2][j - 2] + 1);
		}
	}
	return cost[rows][columns];
}

void
nearest_offer(nearest *best, const char *word)
{
	size_t typed_length = strlen(best->typed);
	size_t length = strlen(word);
	size_t edits;

	if (typed_length > LONGEST || length > LONGEST)
		return;
	edits = count_edits(best->typed, typed_length, word, length);
	if (edits > 1 + MIN(typed_length, length) / 3 || edits >= length)
		return;
	if (best->word == NULL || edits < best->distance) {
		best->word = word;
		best->distance = edits;
	}
}
