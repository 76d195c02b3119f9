/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_batch.h - some lines of a log, which one thread reads and, where order
 * does not matter, decides.
 */
#ifndef LIMEN_PROGRAM_REPLAY_BATCH_H
#define LIMEN_PROGRAM_REPLAY_BATCH_H

#include "cli/jobs.h"
#include "cli/lines.h"
#include "replay.h"

typedef struct replay_batch {
	job job;
	const replay_settings *settings;
	bool decide;         /* and not only read */
	unsigned file;
	size_t first_line;   /* its number, from 1 */
	GString *text;
	GArray *ends;        /* size_t: where each line ends; SIZE_MAX: it was too long */
	GPtrArray *records;  /* replay_record */
} replay_batch;

/*
 * Takes some lines from 'lines', of which the first has the number '*line', which is
 * moved on.  NULL at the end.
 */
replay_batch *replay_batch_take(const replay_settings *settings, unsigned file,
                                line_input *lines, size_t *line);
void replay_batch_free(replay_batch *batch);

/* Decides one record under one of the policies. */
void replay_decide(const replay_settings *settings, replay_record *record, int side);

#endif
