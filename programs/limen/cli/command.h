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
	const struct number_option *numbers; /* ranges of a command's own, or NULL */
} common_options;

typedef struct command {
	const char *name;
	const char *arguments; /* "[FILE...]", for the first line of the help */
	const char *summary;   /* one line */
	const char *details;   /* what stands below the options: rules and examples */
	int (*run)(const struct command *self, common_options *common, int argc, char **argv);
} command;

extern const command validate_command;
extern const command check_command;
extern const command modules_command;
extern const command explain_command;
extern const command new_module_command;
extern const command describe_command;
extern const command get_command;
extern const command buckets_command;
extern const command suggest_command;
extern const command test_command;
extern const command replay_command;
extern const command webhook_config_command;
extern const command graph_command;

#endif
