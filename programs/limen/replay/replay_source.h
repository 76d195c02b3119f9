/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_source.h - the records of one log, read ahead by other threads.
 */
#ifndef LIMEN_PROGRAM_REPLAY_SOURCE_H
#define LIMEN_PROGRAM_REPLAY_SOURCE_H

#include "replay_batch.h"

typedef struct replay_source replay_source;

/*
 * Opens file number 'file' of the settings, of which up to 'ahead' batches are read
 * ahead.  NULL after a message.
 */
replay_source *replay_source_open(const replay_settings *settings, jobs *pool, unsigned file,
                                  size_t ahead);

/* Returns the next batch, which the caller frees, or NULL at the end. */
replay_batch *replay_source_next(replay_source *self);

/* Closes the file; false, after a message, if it could not be read to its end. */
bool replay_source_close(replay_source *self);

/* How large the regular files among the settings' are together; 0: one of them is none. */
guint64 replay_source_size(const replay_settings *settings);

#endif
