/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits_command.h - the options of "limen describe" and "limen get", and the selection of
 * LimitRanges by their arguments.
 */
#ifndef LIMEN_PROGRAM_LIMITS_COMMAND_H
#define LIMEN_PROGRAM_LIMITS_COMMAND_H

#include "cli/options.h"
#include "policy/ranges.h"

typedef struct limits_command {
	const command *self;
	const common_options *common;
	char **policies;
	char *namespace;
	gboolean all;     /* of all namespaces */
	char *format_name;
	output_format format;
	char **arguments; /* the kind of object, then names and files */
} limits_command;

/* Reads the command line and calls 'run' with it; 'run' returns the exit status. */
int limits_command_run(const command *self, common_options *common, int argc, char **argv,
                       int (*run)(limits_command *how));

/* The words for LimitRanges, ended by NULL. */
extern const char *const limits_command_words[];

/*
 * Lists the LimitRanges of 'argument': all of a file, one by name, or for NULL those of the
 * namespace.  Returns an exit status; other than STATUS_GOOD after a message, with nothing in
 * 'out' to clear.
 */
int limits_command_find(const limits_command *how, const char *argument, ranges *out);

/* ---- range_table.c: LimitRanges as "kubectl describe" prints them ---- */

/* Prints one LimitRange: its name, its namespace and its table. */
void range_table_print(limen_value range);

/* Prints the part of "kubectl describe namespace" about the LimitRanges in 'of'. */
void range_table_print_namespace(const ranges *of);

#endif
