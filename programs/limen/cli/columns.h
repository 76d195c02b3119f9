/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - prints a table as text.  Every column is as wide as its longest cell, two blanks
 * (by default) separate columns, and the last one is not padded, as in the tables of kubectl.
 * On a terminal that is narrower, cells go on in further lines.
 */
#ifndef LIMEN_PROGRAM_COLUMNS_H
#define LIMEN_PROGRAM_COLUMNS_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>

/* Largest number of columns. */
#define COLUMNS_MAX 10

typedef struct columns {
	size_t count;
	GPtrArray *cells; /* owned texts, row by row */
	glong first;      /* minimum width of the first column */
	int gap;          /* blanks between columns */
	/* Rows are cut to so many characters, and not folded; 0: they are not cut. */
	glong cut;
	bool below; /* then the last cell stands below its row, on a line of its own */
} columns;

void columns_start(columns *table, size_t count);

/* Adds one cell, a copy of 'text' on one line; NULL gives "-".  'count' cells make a row. */
void columns_add(columns *table, const char *text);

/* As columns_add(), but takes over 'text', which is freed with g_free(). */
void columns_take(columns *table, char *text);

/* Adds a row of 'count' cells. */
void columns_add_row(columns *table, const char *const *cells);

/* Returns the width of the first column. */
glong columns_first_width(const columns *table);

/* Prints all rows and frees them. */
void columns_print(columns *table);

/* Frees all rows; prints them first if 'print' is true. */
void columns_finish(columns *table, bool print);

/* ---- rows of several objects, joined by key ---- */

/* Largest number of objects. */
#define ROWS_MAX 5

typedef struct row {
	const char *name;             /* the key */
	limen_value values[ROWS_MAX]; /* one for each object; none if the key is missing */
} row;

/*
 * Returns an array of row for g_array_unref().  'keys' names members of 'holder' that are
 * objects; rows are sorted by name in byte order.
 */
GArray *rows_collect(limen_value holder, const char *const *keys, size_t count);

#endif
