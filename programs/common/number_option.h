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
 * The numbers of a command line as they were written: GLib takes 010 for eight, and
 * 0x10.  Made before 'rows' are given to GLib, which reads texts in place of numbers.
 */
typedef struct number_texts number_texts;
number_texts *number_texts_new(GOptionEntry *rows);
void number_texts_free(number_texts *self);

/*
 * Sets the variables of numbers that were given; each option of a number has to be in
 * 'table'.  Returns what is wrong with the first that is, to g_free(), or NULL.
 */
char *number_texts_read(const number_texts *self, const number_option *table);

#endif
