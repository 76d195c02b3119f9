/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - the interface of a command: its description, and the options that all share.
 */
#ifndef LIMEN_PROGRAM_COMMAND_H
#define LIMEN_PROGRAM_COMMAND_H

#include <glib.h>

/* Exit statuses.  "check" reports the worst status of its requests. */
enum {
	STATUS_GOOD = 0,
	STATUS_BAD = 1,   /* refused, invalid, or not found */
	STATUS_ERROR = 2  /* no decision was possible, or wrong usage */
};

static inline int
status_worse(int a, int b)
{
	return a > b ? a : b;
}

/* Options that every command takes, before or after its name. */
typedef struct common_options {
	char *module_path; /* as given, or NULL */
	char *color;       /* "auto", "always", "never", or NULL for auto */
	gboolean help;
	GPtrArray *texts;  /* texts of the command's own options (options.h) */
	const struct number_option *numbers; /* ranges of the command's numbers, or NULL */
} common_options;

typedef struct command {
	const char *name;
	const char *arguments; /* "[FILE...]", for the first line of the help */
	const char *summary;   /* one line */
	const char *details;   /* rules and examples, printed below the options */
	int (*run)(const struct command *self, common_options *common, int argc, char **argv);
} command;

#endif
