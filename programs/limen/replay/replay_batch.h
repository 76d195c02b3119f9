/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_batch.h - a batch of lines of a log, which one job parses and, if order does not
 * matter, decides.
 */
#ifndef LIMEN_PROGRAM_REPLAY_BATCH_H
#define LIMEN_PROGRAM_REPLAY_BATCH_H

#include "cli/jobs.h"
#include "cli/lines.h"
#include "replay.h"

typedef struct replay_batch {
	job job;
	const replay_settings *settings;
	bool decide;         /* decide the records, too */
	unsigned file;
	size_t first_line;   /* number of the first line, from 1 */
	GString *text;
	GArray *ends;        /* size_t: end of each line; SIZE_MAX: too long */
	GPtrArray *records;  /* replay_record */
} replay_batch;

/*
 * Takes the next batch from 'lines'; '*line' is the number of its first line and is advanced.
 * Returns NULL at the end.
 */
replay_batch *replay_batch_take(const replay_settings *settings, unsigned file,
                                line_input *lines, size_t *line);
void replay_batch_free(replay_batch *batch);

/* Decides one record under the policy of 'side': 0 the old, 1 the new one. */
void replay_decide(const replay_settings *settings, replay_record *record, int side);

#endif
