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
/* The format of the output; the command lists its formats. */
#define OPTION_FORMAT(common, text) OPTION_TEXT("format", 0, &(common)->format_name, "FORMAT", text)
/* The remaining arguments. */
#define OPTION_REST(where) \
	{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, where, NULL, NULL }
#define OPTION_END { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }

/*
 * Parses the command line of 'common' into the variables of 'rows', ended by OPTION_END, and into
 * 'common', which owns their texts.  Returns false if the command is done, after it printed help or
 * an error: 'common->status' is then the exit status.  Arguments without a row are an error.
 */
bool options_read(common_options *common, const GOptionEntry *rows);

/*
 * Parses the options before the name of the command and removes them from the command line.
 * Returns false after a message if they are wrong.
 */
bool options_read_global(common_options *common, gboolean *version);

/* Frees all texts. */
void options_free(common_options *common);

#endif
