/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h - joins several objects by key into the rows of a table, one for each key. */
#ifndef LIMEN_PROGRAM_ROWS_H
#define LIMEN_PROGRAM_ROWS_H

#include <glib.h>
#include <limen/value.h>

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
