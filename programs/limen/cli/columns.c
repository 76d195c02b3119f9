/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - stores the cells of a table, measures the columns in characters, and prints padded
 * rows.  Line ends and tabs in a cell become blanks.
 */
#include "columns.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "terminal.h"

/* The least width that is worth wrapping to. */
enum { LAST_LEAST = 20 };

void
columns_start(columns *table, size_t count)
{
	g_assert(count > 0 && count <= COLUMNS_MAX);
	table->count = count;
	table->first = 0;
	table->gap = 2;
	table->cells = g_ptr_array_new_with_free_func(g_free);
}

void
columns_take(columns *table, char *text)
{
	/* A name with a line end must not look like another row. */
	g_ptr_array_add(table->cells, g_strdelimit(text, "\n\r\t", ' '));
}

void
columns_add(columns *table, const char *text)
{
	columns_take(table, g_strdup(text == NULL ? "-" : text));
}

void
columns_add_row(columns *table, const char *const *cells)
{
	for (size_t i = 0; i < table->count; i++)
		columns_add(table, cells[i]);
}

static void
measure(const columns *table, glong widths[COLUMNS_MAX])
{
	memset(widths, 0, COLUMNS_MAX * sizeof(*widths));
	widths[0] = table->first;
	for (guint i = 0; i < table->cells->len; i++) {
		glong width = g_utf8_strlen(g_ptr_array_index(table->cells, i), -1);
		glong *widest = &widths[i % table->count];

		if (width > *widest)
			*widest = width;
	}
}

glong
columns_first_width(const columns *table)
{
	glong widths[COLUMNS_MAX];

	measure(table, widths);
	return widths[0];
}

void
columns_print(columns *table)
{
	columns_finish(table, true);
}

/* Prints the last cell of a row; a terminal wraps it between words, if it has the room. */
static void
print_last(const char *cell, glong used)
{
	glong width = (glong)terminal_width();

	if (isatty(STDOUT_FILENO) && used + LAST_LEAST <= width &&
	    used + g_utf8_strlen(cell, -1) > width) {
		terminal_wrap(cell, (size_t)used, (size_t)width, true);
		return;
	}
	message_put(stdout, cell);
	putchar('\n');
}

void
columns_finish(columns *table, bool print)
{
	glong widths[COLUMNS_MAX];
	glong used = 0;

	measure(table, widths);
	for (guint i = 0; print && i < table->cells->len; i++) {
		const char *cell = g_ptr_array_index(table->cells, i);
		guint column = i % (guint)table->count;

		if (column + 1 == table->count) {
			print_last(cell, used);
			used = 0;
			continue;
		}
		message_put(stdout, cell);
		printf("%*s", (int)(widths[column] - g_utf8_strlen(cell, -1)) + table->gap, "");
		used += widths[column] + table->gap;
	}
	g_ptr_array_unref(table->cells);
	table->cells = NULL;
}
