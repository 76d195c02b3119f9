/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_source.h - reads the records of one log ahead on other threads.
 */
#ifndef LIMEN_PROGRAM_REPLAY_SOURCE_H
#define LIMEN_PROGRAM_REPLAY_SOURCE_H

#include "replay_batch.h"

typedef struct replay_source replay_source;

/*
 * Opens file number 'file' of the settings; up to 'ahead' batches are read ahead.  Returns NULL
 * after a message.
 */
replay_source *replay_source_open(const replay_settings *settings, jobs *pool, unsigned file,
                                  size_t ahead);

/* Returns the next batch, which the caller frees, or NULL at the end. */
replay_batch *replay_source_next(replay_source *self);

/* Closes the file; returns false, after a message, if it could not be read completely. */
bool replay_source_close(replay_source *self);

/* Returns the total size of the settings' files in bytes; 0 if one is not a regular file. */
guint64 replay_source_size(const replay_settings *settings);

#endif
