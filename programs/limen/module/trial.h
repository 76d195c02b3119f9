/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.h - tries the module in a file: in a child process, which the module may crash, end or
 * hang.  What was found is printed as "FILE: error: TEXT" on standard output; what the module
 * itself writes there goes to standard error.
 */
#ifndef LIMEN_PROGRAM_TRIAL_H
#define LIMEN_PROGRAM_TRIAL_H

#include <limen/module.h>
#include <limen/testkit.h>
#include <stdbool.h>
#include <stdio.h>
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

/* A command that tries a module, and the module. */
typedef struct trial {
	common_options *common;
	char **arguments; /* FILE, and what else the command takes */
	char *data;       /* --data: JSON text, or NULL */
	bool installs;    /* the module will be installed */
	char *directory;  /* --directory: where, or NULL */
	int seconds;      /* --timeout */
	bool quiet;       /* say only what is wrong */
	trial_result *result;
	const char *path;              /* of the file, without links */
	const limen_module_head *head; /* as the file has it */
	const char *scratch;           /* a directory with KIND/TYPE.so, a link to the file */
	bool closed;                   /* an option is required, and there is no --data */
	FILE *out;                     /* standard output, where a module does not find it */
	int out_fd;                    /* its file descriptor, in the child */
	limen_kit *kit;
} trial;

#define TRIAL_SECONDS 10

#define TRIAL_TIMEOUT(trial)                                             \
	OPTION_NUMBER("timeout", 0, &(trial)->seconds, "SECONDS",        \
	              "Stop a module that takes longer (default: 10)"),  \
	OPTION_REST(&(trial)->arguments)
#define TRIAL_ROWS(trial)                                                \
	OPTION_TEXT("data", 0, &(trial)->data, "JSON",                   \
	            "Options of the module, as in a policy"),            \
	TRIAL_TIMEOUT(trial)

extern const number_option trial_numbers[];

/* Reads the command line; returns false after a message, with the exit status in 'common'. */
bool trial_read(trial *self, const GOptionEntry *rows);

/*
 * Loads the module in a child process, and calls 'work' there unless it was refused or 'work' is
 * NULL.  Returns an exit status: STATUS_BAD if there were errors, which have been printed.
 */
int trial_run(trial *self, void (*work)(trial *self, void *data), void *data);

/* Notes what the child does next, "calling 'check'"; ends processes that the module made. */
void trial_stage(trial *self, const char *stage);

/* Prints "FILE: TEXT" on standard output, and counts a text that begins with "error: ". */
void trial_say(trial *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Opens an instance with the options in 'data' (JSON text).  Returns false after errors. */
bool trial_open(trial *self, const char *data);

/* Calls the method of the module's kind; the document and the hints are JSON text, or NULL. */
limen_verdict trial_call(trial *self, const char *document, const char *hints);

/* Returns the method that trial_call() calls: "'check'". */
const char *trial_method(const trial *self);

#endif
