/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_places.c - finds the byte offset of a line and column.  One pass over the text sets a mark
 * about every 256 bytes; a lookup searches the marks by bisection and walks on from the nearest
 * one before.
 */
#include "text_places.h"

#include <stdbool.h>

/* Bytes from one mark to the next: a few hundred characters are walked past quickly. */
#define MARK_STEP 256

/* A byte whose line and column are known. */
typedef struct mark {
	size_t offset;
	unsigned line;
	unsigned column;
} mark;

/* Moves on by one character. */
static void
advance(mark *at, const GString *text)
{
	const char *here = text->str + at->offset;
	bool ends = *here == '\n';

	at->offset += (size_t)(g_utf8_next_char(here) - here);
	at->line += ends;
	at->column = ends ? 1 : at->column + 1;
}

void
text_places_start(text_places *of, const GString *text)
{
	mark at = { 0, 1, 1 };
	size_t next = MARK_STEP;

	*of = (text_places){ .text = text, .marks = g_array_new(FALSE, FALSE, sizeof(mark)) };
	g_array_append_val(of->marks, at);
	while (at.offset < text->len) {
		advance(&at, text);
		if (at.offset < next)
			continue;
		g_array_append_val(of->marks, at);
		next = at.offset + MARK_STEP;
	}
}

static bool
is_before(const mark *at, unsigned line, unsigned column)
{
	return at->line < line || (at->line == line && at->column < column);
}

/* The last mark that is not behind the place; the first one is the beginning. */
static mark
find_mark(const text_places *of, unsigned line, unsigned column)
{
	guint low = 0;
	guint high = of->marks->len;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (is_before(&g_array_index(of->marks, mark, middle), line, column))
			low = middle;
		else
			high = middle;
	}
	return g_array_index(of->marks, mark, low);
}

size_t
text_places_find(const text_places *of, unsigned line, unsigned column)
{
	mark at = find_mark(of, line, column);

	while (at.offset < of->text->len && is_before(&at, line, column))
		advance(&at, of->text);
	return at.offset < of->text->len && at.line == line && at.column == column ? at.offset
	                                                                           : G_MAXSIZE;
}

void
text_places_clear(text_places *of)
{
	g_array_unref(of->marks);
	*of = (text_places){ .text = NULL };
}
