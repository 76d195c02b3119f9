/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_state.h - tells whether a file has to be read again.
 */
#ifndef LIMEND_FILE_STATE_H
#define LIMEND_FILE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Stores the state of a file (all zero: there is none, or 'path' is NULL) and returns whether it is
 * another than 'seen' was.  Follows symbolic links: Kubernetes replaces a volume by exchanging a
 * link above its files.
 */
static inline bool
file_state_changed(const char *path, struct stat *seen)
{
	struct stat before = *seen;

	if (path == NULL || stat(path, seen) != 0)
		*seen = (struct stat){ .st_ino = 0 };
	/* The ctime covers contents and permissions, and programs cannot set it back. */
	return seen->st_dev != before.st_dev || seen->st_ino != before.st_ino ||
	       seen->st_size != before.st_size || seen->st_ctim.tv_sec != before.st_ctim.tv_sec ||
	       seen->st_ctim.tv_nsec != before.st_ctim.tv_nsec;
}

#endif
