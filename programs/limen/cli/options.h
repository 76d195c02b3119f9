/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - reads the command line of one command and prints its help.
 */
#ifndef LIMEN_PROGRAM_OPTIONS_H
#define LIMEN_PROGRAM_OPTIONS_H

#include <stdbool.h>

#include "command.h"

/* The most rows a command may have. */
#define OPTIONS_MAX 32

/* The --format of commands that have one. */
typedef enum output_format {
	FORMAT_TEXT = 0,
	FORMAT_JSON = 1,
	FORMAT_MARKDOWN = 2,
	FORMAT_SCHEMA = 3,
	FORMAT_YAML = 4,
	FORMAT_PATCH = 5,
	FORMAT_REVIEW = 6,
	FORMAT_DOT = 7,
	FORMAT_SVG = 8,
	FORMAT_HTML = 9,
	FORMAT_TAP = 10,
	FORMAT_JUNIT = 11
} output_format;

/* A set of formats, for options_format(). */
#define FORMAT_BIT(format) (1U << (format))
#define FORMATS_PLAIN (FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON))

/*
 * The rows of a command: the option and its letter (0: none), the variable, what its
 * argument is called, and what the help says.  Arguments are bytes, whatever the locale,
 * so no row is G_OPTION_ARG_STRING.
 */
#define OPTION_TEXT(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_FILENAME, where, text, word }
/* May be repeated. */
#define OPTION_TEXTS(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_FILENAME_ARRAY, where, text, word }
#define OPTION_NUMBER(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_INT, where, text, word }
#define OPTION_FLAG(name, letter, where, text) \
	{ name, letter, 0, G_OPTION_ARG_NONE, where, text, NULL }
#define OPTION_REAL(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_DOUBLE, where, text, word }
/* A text that the help does not show. */
#define OPTION_HIDDEN(name, where) \
	{ name, 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, where, NULL, NULL }
/* What is no option. */
#define OPTION_REST(where) \
	{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, where, NULL, NULL }
#define OPTION_END { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }

/*
 * Reads 'argv' into the variables of 'rows', which OPTION_END ends, and into 'common', which
 * owns their texts.  False if that is all, as help was printed or what is wrong was said:
 * then '*status' is the exit status, which is STATUS_GOOD otherwise.
 */
bool options_read(const command *self, common_options *common, const GOptionEntry *rows, int argc,
                  char **argv, int *status);

/*
 * Reads the options before the name of the command and removes them from
 * 'argv', of which '*argc' arguments are left.  False, having said why, if they are wrong.
 */
bool options_read_global(common_options *common, gboolean *version, int *argc, char **argv);

/* Frees all texts. */
void options_free(common_options *common);

/*
 * Stores which of the formats in the set 'known' the text names (NULL: text) and
 * returns true, or prints a message and returns false.
 */
bool options_format(const command *self, const char *text, unsigned known, output_format *out);

#endif
