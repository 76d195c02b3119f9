/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest.c - suggests the known word closest to a misspelt one, by Damerau's edit distance.
 * Words of more than 48 bytes are never suggested.
 */
#include <limen/nearest.h>

#include <string.h>

/* Cap on compared words: longer words are not misspelt keys, and the rows below stay small. */
#define LONGEST ((size_t)48)

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Damerau's edit distance (neighbours may swap, once), a row of the matrix for
 * every letter of 'a'; only the last three rows are needed.
 */
static size_t
count_edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LONGEST + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		const size_t *before = rows[(i + 1) % 3];
		const size_t *above = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);

			row[j] = least(least(above[j], row[j - 1]) + 1, change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

limen_nearest
limen_nearest_to(const char *wanted)
{
	return (limen_nearest){ .wanted = wanted };
}

void
limen_nearest_offer(limen_nearest *best, const char *word)
{
	size_t wanted_length;
	size_t length;
	size_t longer;
	size_t edits;

	if (best == NULL || best->wanted == NULL || word == NULL)
		return;
	wanted_length = strnlen(best->wanted, LONGEST + 1);
	length = strnlen(word, LONGEST + 1);
	longer = wanted_length > length ? wanted_length : length;
	if (wanted_length > LONGEST || length > LONGEST)
		return;
	edits = count_edits(best->wanted, wanted_length, word, length);
	/* Half of a word is another word: "some" is not "none". */
	if (edits > wanted_length / 3 + 1 || 2 * edits >= longer)
		return;
	if (best->word == NULL || edits < best->edits) {
		best->word = word;
		best->edits = edits;
	}
}

const char *
limen_nearest_of(const char *wanted, const char *const *words)
{
	limen_nearest best = limen_nearest_to(wanted);

	for (; words != NULL && *words != NULL; words++)
		limen_nearest_offer(&best, *words);
	return best.word;
}
