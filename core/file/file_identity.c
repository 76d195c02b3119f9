/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_identity.c - compares what a path names by device, inode, size and times.  For a directory
 * it adds up a hash of the same facts of each entry.
 */
#include "file_identity.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "file_read.h"

static int64_t
nanoseconds(struct timespec time)
{
	return (int64_t)((uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec);
}

static file_identity
from_status(const struct stat *status)
{
	return (file_identity){
		.exists = true,
		.directory = S_ISDIR(status->st_mode),
		.device = status->st_dev,
		.inode = status->st_ino,
		.size = status->st_size,
		.modified = nanoseconds(status->st_mtim),
		.changed = nanoseconds(status->st_ctim),
	};
}

static uint64_t
hash_entry(int directory, const char *name)
{
	uint64_t words[6] = { file_hash(name, strlen(name)) };
	struct stat status;

	if (fstatat(directory, name, &status, 0) == 0) {
		file_identity entry = from_status(&status);

		words[1] = entry.device;
		words[2] = entry.inode;
		words[3] = (uint64_t)entry.size;
		words[4] = (uint64_t)entry.modified;
		words[5] = (uint64_t)entry.changed;
	}
	return file_hash(words, sizeof(words));
}

/* A sum, as a directory has no order. */
static uint64_t
hash_entries(const char *path)
{
	DIR *directory = opendir(path);
	uint64_t sum = 0;

	if (directory == NULL)
		return 0;
	for (;;) {
		const struct dirent *entry = readdir(directory);

		if (entry == NULL)
			break;
		/* "." and ".." change when the parent does, not when the contents do. */
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			sum += hash_entry(dirfd(directory), entry->d_name);
	}
	closedir(directory);
	return sum;
}

file_identity
file_identity_get(const char *path)
{
	file_identity found = { .exists = false };
	struct stat status;

	if (stat(path, &status) != 0)
		return found;
	found = from_status(&status);
	if (found.directory)
		found.entries = hash_entries(path);
	return found;
}

bool
file_identity_equal(const file_identity *a, const file_identity *b)
{
	return a->exists == b->exists && a->directory == b->directory &&
	       a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->modified == b->modified && a->changed == b->changed &&
	       a->entries == b->entries;
}
