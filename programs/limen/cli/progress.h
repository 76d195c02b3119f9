/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - a bar on standard error while something takes long.
 */
#ifndef LIMEN_PROGRAM_PROGRESS_H
#define LIMEN_PROGRAM_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
	bool shown;       /* standard error is a terminal */
	bool drawn;
	uint64_t total;   /* 0: not known */
	gint64 begin;     /* g_get_monotonic_time() */
	gint64 last;
} progress;

/* 'total' is what there is to do, in any unit; 0: nobody knows. */
void progress_start(progress *self, uint64_t total);

/* Shows, now and then, how much is done and how many 'things' that were. */
void progress_update(progress *self, uint64_t done, uint64_t count, const char *things);

/* Takes the bar away. */
void progress_end(progress *self);

#endif
