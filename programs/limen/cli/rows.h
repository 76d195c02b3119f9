/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h - several objects with the same keys as the rows of a table: a row for each key. */
#ifndef LIMEN_PROGRAM_ROWS_H
#define LIMEN_PROGRAM_ROWS_H

#include <glib.h>
#include <limen/value.h>

/* The most objects there may be. */
#define ROWS_MAX 5

typedef struct row {
	const char *name;             /* the key */
	limen_value values[ROWS_MAX]; /* of each object; none if that does not have it */
} row;

/*
 * Returns an array of row for the members 'keys' of 'holder', which are objects, in byte order
 * of the names; for g_array_unref().
 */
GArray *rows_collect(limen_value holder, const char *const *keys, size_t count);

#endif
