/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state_file.h - keeps what quotas of a day or more have used across restarts (--state): a thread
 * writes it once a minute.  One process at a time uses a file.
 */
#ifndef LIMEND_STATE_FILE_H
#define LIMEND_STATE_FILE_H

#include <limen/limen.h>

typedef struct state_file state_file;

/* Locks 'path' for this process; NULL, with the reason in 'why' to g_free(), if another has it. */
state_file *state_file_open(const char *path, char **why);

/*
 * Restores what the file has, before anything is served, and starts the thread that writes.  A file
 * that is torn or none of limend's is renamed, and logged as an error.  Returns why limend cannot
 * go on, to g_free(), or NULL.
 */
char *state_file_begin(state_file *self, limen_engine *engine);

/* Writes soon. */
void state_file_hurry(state_file *self);

/* Writes for the last time, if it was begun, and frees it.  NULL is fine. */
void state_file_close(state_file *self);

#endif
