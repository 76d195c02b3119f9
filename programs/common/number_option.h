/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number_option.h - what is wrong with the numbers of a command line, in words of
 * ours: which option takes what, from where to where.
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
 * Returns what is wrong with the first number among 'rows', which were read, that is
 * out of its range in 'table', to g_free(); NULL if all are good.
 */
char *number_option_check(const GOptionEntry *rows, const number_option *table);

/*
 * Returns what 'error' of GLib's parser says of a number of 'table' (which may be
 * NULL), to g_free(); NULL if it is about something else.
 */
char *number_option_explain(const GOptionEntry *rows, const number_option *table,
                            const GError *error);

#endif
