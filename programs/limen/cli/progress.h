/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - shows a progress bar on standard error.
 */
#ifndef LIMEN_PROGRAM_PROGRESS_H
#define LIMEN_PROGRAM_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
	bool shown;       /* standard error is a terminal */
	uint64_t total;   /* 0: unknown */
	gint64 begin;     /* g_get_monotonic_time() */
	gint64 last;
} progress;

/*
 * Starts the bar; 'total' is the amount of work in any unit, 0 if unknown.  'prints' is true if the
 * results are printed meanwhile: then there is no bar if standard output is a terminal.
 */
void progress_start(progress *self, uint64_t total, bool prints);

/* Returns the size of all files, ended by NULL, in bytes; 0 if one is not a regular file. */
uint64_t progress_measure(char *const *files);

/* Shows the work done and the number of 'things' processed, at most every 100 ms. */
void progress_update(progress *self, uint64_t done, uint64_t count, const char *things);

/* Clears the bar, before a message or at the end; any thread may clear the one that is shown. */
void progress_clear(void);
void progress_end(progress *self);

#endif
