/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_state.h - records the identity, size and times of a file; a changed state means that the
 * file has to be read again.
 */
#ifndef LIMEND_FILE_STATE_H
#define LIMEND_FILE_STATE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

typedef struct file_state {
	dev_t device;
	ino_t number; /* 0: stat() failed */
	off_t size;
	struct timespec written;
	struct timespec changed; /* ctime: covers permissions, and programs cannot set it back */
} file_state;

/*
 * Reads the state through all symbolic links: Kubernetes replaces a volume by exchanging a link
 * above its files.  NULL as 'path' is a file that does not exist.
 */
file_state file_state_of(const char *path);

bool file_state_equal(const file_state *a, const file_state *b);

#endif
