/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - parses the command line of a command and prints its help.
 */
#ifndef LIMEN_PROGRAM_OPTIONS_H
#define LIMEN_PROGRAM_OPTIONS_H

#include <stdbool.h>

#include "command.h"

/* Largest number of rows of a command. */
#define OPTIONS_MAX 32

/* Values of --format. */
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
	FORMAT_JUNIT = 11,
	FORMAT_GITHUB = 12
} output_format;

/* A set of formats, for options_format(). */
#define FORMAT_BIT(format) (1U << (format))
#define FORMATS_PLAIN (FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON))

/*
 * Rows of a command: the option and its letter (0: none), the variable, the name of its
 * argument, and the help text.  Arguments are bytes in any locale, so rows are never
 * G_OPTION_ARG_STRING.
 */
#define OPTION_TEXT(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_FILENAME, where, text, word }
/* An option that may be repeated. */
#define OPTION_TEXTS(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_FILENAME_ARRAY, where, text, word }
#define OPTION_NUMBER(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_INT, where, text, word }
#define OPTION_FLAG(name, letter, where, text) \
	{ name, letter, 0, G_OPTION_ARG_NONE, where, text, NULL }
#define OPTION_REAL(name, letter, where, word, text) \
	{ name, letter, 0, G_OPTION_ARG_DOUBLE, where, text, word }
/* An option with a text that the help does not show. */
#define OPTION_HIDDEN(name, where) \
	{ name, 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, where, NULL, NULL }
/* The policy: several files and directories are one. */
#define OPTION_POLICY(where, word, text) OPTION_TEXTS("policy", 0, where, word, text)
/* The remaining arguments. */
#define OPTION_REST(where) \
	{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, where, NULL, NULL }
#define OPTION_END { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }

/*
 * Parses 'argv' into the variables of 'rows', ended by OPTION_END, and into 'common', which
 * owns their texts.  Returns false if the command is done, after it printed help or an error:
 * '*status' is then the exit status, otherwise STATUS_GOOD.
 */
bool options_read(const command *self, common_options *common, const GOptionEntry *rows, int argc,
                  char **argv, int *status);

/*
 * Parses the options before the name of the command and removes them from 'argv'; '*argc'
 * receives the number of remaining arguments.  Returns false after a message if they are wrong.
 */
bool options_read_global(common_options *common, gboolean *version, int *argc, char **argv);

/* Frees all texts. */
void options_free(common_options *common);

/*
 * Stores the format that 'text' names (NULL: text) and returns true; 'known' is the set of
 * formats allowed.  Prints a message and returns false for any other.
 */
bool options_format(const command *self, const char *text, unsigned known, output_format *out);

#endif
