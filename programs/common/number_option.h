/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number_option.h - checks the numbers of a command line, and reports errors in messages of our
 * own: the option, its type and its range.
 */
#ifndef LIMEN_PROGRAM_NUMBER_OPTION_H
#define LIMEN_PROGRAM_NUMBER_OPTION_H

#include <glib.h>

typedef struct number_option {
	const char *name; /* of the option, without dashes; NULL ends a table */
	const char *what; /* "a number", "seconds" */
	double least;     /* whole numbers up to 2^53 are exact */
	double most;
} number_option;

/*
 * The numbers of a command line as text: GLib would read 010 as eight, and accept 0x10.  Create
 * it before GLib gets 'rows', whose number options then read texts.
 */
typedef GPtrArray number_texts; /* free it with g_ptr_array_unref() */
number_texts *number_texts_new(GOptionEntry *rows);

/*
 * Sets the variables of the numbers that were given; every number option must be in 'table'.
 * Returns the error of the first wrong one, to g_free(), or NULL.
 */
char *number_texts_read(const number_texts *self, const number_option *table);

#endif
