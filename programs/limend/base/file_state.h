/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_state.h - which file a path leads to, and since when it is as it is: tells whether it
 * has to be read again.
 */
#ifndef LIMEND_FILE_STATE_H
#define LIMEND_FILE_STATE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

typedef struct file_state {
	dev_t device;
	ino_t number; /* 0: nothing that could be looked at */
	off_t size;
	struct timespec written;
	struct timespec changed; /* also by who may read it; and no program sets this one back */
} file_state;

/*
 * Through all symbolic links: a volume of Kubernetes is replaced by exchanging one further up.
 * 'path' may be NULL, which leads nowhere.
 */
file_state file_state_of(const char *path);

bool file_state_equal(const file_state *a, const file_state *b);

#endif
