/* SPDX-License-Identifier: Apache-2.0 */
/* file_state.c - compares the identity and the ctime of a file with those seen before. */
#include "file_state.h"

#include <stddef.h>

bool
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
