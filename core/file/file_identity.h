/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_identity.h - detects whether a path still names the same file, without reading it.
 *
 * Symbolic links are followed.  The identity of a directory includes its entries, so
 * that a change of a file in it shows.
 */
#ifndef LIMEN_CORE_FILE_FILE_IDENTITY_H
#define LIMEN_CORE_FILE_FILE_IDENTITY_H

#include <limen/types.h>

typedef struct file_identity {
	bool exists;
	bool directory;
	uint64_t device;
	uint64_t inode;
	int64_t size;
	int64_t modified; /* nanoseconds */
	int64_t changed;  /* nanoseconds; a file made readable has only this one changed */
	uint64_t entries; /* directories: a sum over all entries */
} file_identity;

/* Returns the identity of a file; a file that stat() fails for counts as missing. */
file_identity file_identity_get(const char *path);

bool file_identity_equal(const file_identity *a, const file_identity *b);

#endif
