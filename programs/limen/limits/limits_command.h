/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits_command.h - what "limen describe" and "limen get" share: options, and
 * the LimitRanges that the arguments name.
 */
#ifndef LIMEN_PROGRAM_LIMITS_COMMAND_H
#define LIMEN_PROGRAM_LIMITS_COMMAND_H

#include "cli/options.h"
#include "policy/ranges.h"

typedef struct limits_command {
	const command *self;
	const common_options *common;
	char *policy;
	char *namespace;
	gboolean all;     /* of all namespaces */
	char *format_name;
	output_format format;
	char **arguments; /* what, then names and files */
} limits_command;

/*
 * Reads the command line and calls 'run', which returns the exit status, with
 * what it said.
 */
int limits_command_run(const command *self, common_options *common, int argc, char **argv,
                       int (*run)(limits_command *how));

/* Is the first argument one of 'words', ended by NULL? */
bool limits_command_is(const limits_command *how, const char *const words[]);

/* The words for LimitRanges, and for namespaces. */
extern const char *const limits_command_limits[];
extern const char *const limits_command_namespaces[];

/*
 * Lists the LimitRanges that 'argument' stands for: those of a file, the one of a
 * name, or for NULL those of the namespace.  Returns an exit status; anything but
 * STATUS_GOOD after a message, with nothing in 'out' to clear.
 */
int limits_command_find(const limits_command *how, const char *argument, ranges *out);

#endif
