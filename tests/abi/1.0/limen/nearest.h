/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/nearest.h - the known word closest to an unknown word, for hints.
 *
 *	limen_nearest best = limen_nearest_to("limts");
 *	limen_nearest_offer(&best, "limits");
 *	if (best.word != NULL)
 *		limen_diag_hint(diag, "did you mean '%s'?", best.word);
 *
 * A limen_nearest is the caller's, for one thread at a time; the functions keep nothing.
 */
#ifndef LIMEN_NEAREST_H
#define LIMEN_NEAREST_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* A search under way. */
typedef struct limen_nearest {
	const char *wanted;
	const char *word; /* the closest so far, or NULL if none is close */
	size_t edits;     /* how far off it is */
} limen_nearest;

/* Begins a search for the word meant by 'wanted', which is borrowed. */
LIMEN_API limen_nearest limen_nearest_to(const char *wanted);

/*
 * Offers a known word, borrowed as well.  It is close if at most a third of the
 * letters of 'wanted', and one more, have to be inserted, dropped, replaced or
 * swapped with their neighbour, and if these are less than half of the longer word.  A word
 * of more than 48 bytes is close to none.  Of equals the first counts.
 */
LIMEN_API void limen_nearest_offer(limen_nearest *best, const char *word);

/*
 * Returns the closest of 'words' (ended by NULL) to 'wanted', or NULL if none is close.  It is
 * that pointer of 'words': borrowed.
 */
LIMEN_API const char *limen_nearest_of(const char *wanted, const char *const *words);

LIMEN_END_DECLS

#endif
