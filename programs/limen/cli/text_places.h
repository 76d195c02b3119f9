/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_places.h - where the lines and columns of a text are, for whoever looks for
 * many of them: the text is walked through once, whatever its lines are like.
 */
#ifndef LIMEN_PROGRAM_TEXT_PLACES_H
#define LIMEN_PROGRAM_TEXT_PLACES_H

#include <glib.h>

typedef struct text_places {
	const GString *text; /* UTF-8; stays the caller's */
	GArray *marks;
} text_places;

void text_places_start(text_places *of, const GString *text);

/*
 * Returns the byte at 'line' and 'column', which count from 1 and are of '\n' and of
 * characters; G_MAXSIZE if there is none.
 */
size_t text_places_find(const text_places *of, unsigned line, unsigned column);

void text_places_clear(text_places *of);

#endif
