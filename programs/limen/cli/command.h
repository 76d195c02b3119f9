/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - what main.c knows of a command, and what every command is told.
 */
#ifndef LIMEN_PROGRAM_COMMAND_H
#define LIMEN_PROGRAM_COMMAND_H

#include <glib.h>

/* Exit statuses.  "check" and "batch" report the worst of their requests. */
enum {
	STATUS_GOOD = 0,
	STATUS_BAD = 1,   /* refused, invalid, or not found */
	STATUS_ERROR = 2  /* cannot tell, or wrong usage */
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
	GPtrArray *texts;  /* of the options of the command (options.h) */
	const struct number_option *numbers; /* ranges of a command's own, or NULL */
} common_options;

typedef struct command {
	const char *name;
	const char *arguments; /* "[FILE...]", for the first line of the help */
	const char *summary;   /* one line */
	const char *details;   /* what stands below the options: rules and examples */
	int (*run)(const struct command *self, common_options *common, int argc, char **argv);
} command;

#endif
