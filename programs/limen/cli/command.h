/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - the interface of a command: its description, and the options that all share.
 */
#ifndef LIMEN_PROGRAM_COMMAND_H
#define LIMEN_PROGRAM_COMMAND_H

#include <glib.h>
#include <stdbool.h>

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
	FORMAT_GITHUB = 12,
	FORMAT_POLICYREPORT = 13
} output_format;

/* A set of formats. */
#define FORMAT_BIT(format) (1U << (format))
#define FORMATS_PLAIN (FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON))

/* Options that commands share, and the command line that is being run. */
typedef struct common_options {
	const struct command *self; /* NULL before the name of the command was read */
	int argc;
	char **argv;
	int status;        /* if options_read() returns false: the exit status */
	char *module_path; /* as given, or NULL */
	char *color;       /* "auto", "always", "never", or NULL for auto */
	char *format_name; /* of --format, or NULL */
	output_format format;
	gboolean help;
	GPtrArray *texts;  /* texts of the command's own options (options.h) */
} common_options;

typedef struct command {
	const char *name;
	const char *arguments; /* "[FILE...]", for the first line of the help */
	const char *summary;   /* one line */
	const char *details;   /* rules and examples, printed below the options */
	unsigned formats;      /* FORMAT_BIT() of those of --format; the first is the default */
	bool verbatim;         /* its text is a file for other programs: lines are not folded */
	const struct number_option *numbers; /* ranges of its numbers, or NULL */
	const struct command *const *commands; /* "NAME COMMAND", ended by NULL; or NULL */
	int (*run)(common_options *common);
} command;

#endif
