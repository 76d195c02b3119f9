/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - a table as text: every column is as wide as its longest cell, two
 * blanks stand between them unless told otherwise, and the last is not padded, as
 * in the tables of kubectl.
 */
#ifndef LIMEN_PROGRAM_COLUMNS_H
#define LIMEN_PROGRAM_COLUMNS_H

#include <glib.h>
#include <stdbool.h>

/* The most columns a table may have. */
#define COLUMNS_MAX 8

typedef struct columns {
	size_t count;
	GPtrArray *cells; /* owned texts, row by row */
	glong first;      /* the least width of the first column */
	int gap;          /* blanks between columns */
} columns;

void columns_start(columns *table, size_t count);

/* Adds one cell, a copy of 'text' on one line; NULL is "-".  'count' of them are a row. */
void columns_add(columns *table, const char *text);

/* As columns_add(), and takes over 'text', which is g_free()d. */
void columns_take(columns *table, char *text);

/* Adds a row of 'count' cells. */
void columns_add_row(columns *table, const char *const *cells);

/* How wide the first column will be. */
glong columns_first_width(const columns *table);

/* Prints all rows and frees them. */
void columns_print(columns *table);

/* Frees all rows, and prints them before that if 'print' says so. */
void columns_finish(columns *table, bool print);

#endif
