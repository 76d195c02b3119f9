/* SPDX-License-Identifier: Apache-2.0 */
/* file_state.c - reads the state of a file with stat() and compares two states. */
#include "file_state.h"

file_state
file_state_of(const char *path)
{
	struct stat facts;

	if (path == NULL || stat(path, &facts) != 0)
		return (file_state){ .number = 0 };
	return (file_state){ .device = facts.st_dev, .number = facts.st_ino,
		.size = facts.st_size, .written = facts.st_mtim, .changed = facts.st_ctim };
}

static bool
equal_times(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool
file_state_equal(const file_state *a, const file_state *b)
{
	return a->device == b->device && a->number == b->number && a->size == b->size &&
	       equal_times(&a->written, &b->written) && equal_times(&a->changed, &b->changed);
}
