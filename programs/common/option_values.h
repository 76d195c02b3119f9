/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_values.h - reads the values of a command line: an option with one value may be given
 * once, and a number must be in its range.  The messages are our own, not GLib's.
 */
#ifndef LIMEN_PROGRAM_OPTION_VALUES_H
#define LIMEN_PROGRAM_OPTION_VALUES_H

#include <glib.h>

typedef struct number_option {
	const char *name; /* of the option, without dashes; NULL ends a table */
	const char *what; /* "a number"; "seconds" may be a duration, such as 5s or PT5S */
	double least;     /* whole numbers up to 2^53 are exact */
	double most;
} number_option;

/*
 * The texts that were given for each option with one value.  Create it before GLib gets 'rows',
 * which then collect texts: GLib would keep the last of several values, read 010 as eight and
 * accept 0x10.  Lists and flags stay GLib's.
 */
typedef GPtrArray option_values; /* free it with g_ptr_array_unref() */
option_values *option_values_new(GOptionEntry *rows);

/*
 * Sets the variables of the options that were given; every number must be in 'numbers', which may
 * be NULL if there is none.  Texts are to be freed with g_free().  Returns the error of the first
 * wrong option, to g_free(), or NULL: a second value of an option is an error, and so is a value
 * for a text that is set already.
 */
char *option_values_read(const option_values *self, const number_option *numbers);

#endif
