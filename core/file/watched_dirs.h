/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watched_dirs.h - directories the kernel reports changes in (inotify).
 *
 * The kernel knows a directory once, however many paths are watched through it,
 * so uses are counted here.  All functions may be called from any thread.
 */
#ifndef LIMEN_CORE_FILE_WATCHED_DIRS_H
#define LIMEN_CORE_FILE_WATCHED_DIRS_H

#include <limen/types.h>
#include <pthread.h>

#define WATCHED_DIR_NONE (-1)

typedef struct watched_dirs {
	pthread_mutex_t lock;
	int fd; /* of inotify, or -1 */
	struct watched_dir *list;
} watched_dirs;

void watched_dirs_init(watched_dirs *dirs);
void watched_dirs_finish(watched_dirs *dirs);

/* The descriptor to poll, or -1 when there is none yet. */
int watched_dirs_fd(watched_dirs *dirs);

/*
 * Watches the directory 'path' and returns its number, once for each use, or
 * WATCHED_DIR_NONE with errno set.
 */
int watched_dirs_add(watched_dirs *dirs, const char *path);

/* Ends one use; WATCHED_DIR_NONE and directories that are gone are fine. */
void watched_dirs_drop(watched_dirs *dirs, int number);

/*
 * Calls 'each' for every reported event in directory 'number' ('inside'), or of the
 * directory itself.  WATCHED_DIR_NONE: events were lost, so any directory may have
 * changed.
 */
void watched_dirs_read(watched_dirs *dirs,
                       void (*each)(void *data, int number, bool inside), void *data);

#endif
