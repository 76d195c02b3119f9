/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.h - tries the module in a file: in a child process, which the module may crash, end or
 * hang.  What was found is printed as "FILE: error: TEXT" on standard output.
 */
#ifndef LIMEN_PROGRAM_TRIAL_H
#define LIMEN_PROGRAM_TRIAL_H

#include <limen/module.h>
#include <limen/testkit.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cli/command.h"
#include "common/option_values.h"
#include "place.h"

/* The state of the child, in memory that it shares with its parent. */
typedef struct trial_result {
	pid_t child;
	const char *stage; /* static text: what the child is doing */
	bool ended;        /* the child ended by itself */
	bool closed;       /* standard output or the sentinel is closed */
	bool forked;       /* a process that the module made returned into the program */
	unsigned errors;
	module_place place;       /* where limen looks for the module; kind 0: not known */
} trial_result;

/* Options of the commands that try a module. */
typedef struct trial_options {
	const common_options *common;
	const char *file;
	char *data;       /* --data: JSON text, or NULL */
	int seconds;      /* --timeout */
	bool quiet;       /* say only what is wrong */
} trial_options;

/* A module under trial. */
typedef struct trial {
	const trial_options *options;
	trial_result *result;
	const char *path;              /* of the file, without links */
	const limen_module_head *head; /* as the file has it */
	const char *scratch;           /* a directory with KIND/TYPE.so, a link to the file */
	bool closed;                   /* an option is required, and there is no --data */
	int sentinel;                  /* a descriptor that a module has no business with */
	limen_kit *kit;
} trial;

#define TRIAL_SECONDS 10

#define TRIAL_TIMEOUT(trial)                                             \
	OPTION_NUMBER("timeout", 0, &(trial)->seconds, "SECONDS",        \
	              "Stop a module that takes longer (default: 10)")
#define TRIAL_ROWS(trial)                                                \
	OPTION_TEXT("data", 0, &(trial)->data, "JSON",                   \
	            "Options of the module, as in a policy"),            \
	TRIAL_TIMEOUT(trial)

extern const number_option trial_numbers[];

/*
 * Reads the arguments behind the options: a FILE, and one more in '*second', which may be NULL.
 * Returns false after a message.
 */
bool trial_arguments(trial_options *options, char **arguments, char **second);

/*
 * Loads the module in a child process, and calls 'work' there unless it was refused.  Returns an
 * exit status: STATUS_BAD if there were errors, which have been printed.
 */
int trial_run(const trial_options *options, void (*work)(trial *self, void *data), void *data,
              trial_result *result);

/* Notes what the child does next, "calling 'check'"; ends processes that the module made. */
void trial_stage(trial *self, const char *stage);

/* Prints "FILE: error: TEXT" and counts it, or "FILE: warning: TEXT", or "FILE: TEXT". */
void trial_error(trial *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
void trial_say(const trial *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Opens an instance with the options in 'data' (JSON text).  Returns false after errors. */
bool trial_open(trial *self, const char *data);

/* Calls the method of the module's kind; the document and the hints are JSON text, or NULL. */
limen_verdict trial_call(trial *self, const char *document, const char *hints);

/* Returns the method that trial_call() calls: "'check'". */
const char *trial_method(const trial *self);

#endif
