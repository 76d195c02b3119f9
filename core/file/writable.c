/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writable.c - decides from owner, group and mode of a path and its directory whether other users
 * could change or replace it.
 */
#include "writable.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the length of 'path' without final slashes, which would make a link its target. */
static size_t
measure(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

static bool
copy(const char *path, size_t length, char out[PATH_MAX])
{
	if (length >= PATH_MAX)
		return false;
	memcpy(out, path, length);
	out[length] = '\0';
	return true;
}

bool
writable_parent(const char *path, char parent[PATH_MAX])
{
	const char *slash = memrchr(path, '/', measure(path));

	if (slash == NULL)
		return copy(".", 1, parent);
	return copy(path, slash == path ? 1 : (size_t)(slash - path), parent);
}

/* The id of every user and group that a user namespace does not map (user_namespaces(7)). */
#define NOBODY 65534

/*
 * Groups without strangers: root's, this process's, and the owner's private group, which
 * has the owner's number.  No name is looked up: a container need not know the owners of
 * mounted files.
 */
static bool
is_private_group(const struct stat *status)
{
	return status->st_gid == 0 || status->st_gid == getegid() ||
	       (status->st_gid == status->st_uid && status->st_gid != NOBODY);
}

static bool
all_may_write(const struct stat *status)
{
	return (status->st_mode & S_IWOTH) != 0;
}

const char *
writable_stranger(const struct stat *status)
{
	if (all_may_write(status))
		return "every user";
	return (status->st_mode & S_IWGRP) != 0 && !is_private_group(status) ? "a group" : NULL;
}

bool
writable_is_strangers(const struct stat *status)
{
	return status->st_uid != 0 && status->st_uid != geteuid();
}

/* Stores the status of the directory of 'path'; false: stat() failed. */
static bool
get_parent(const char *path, struct stat *status)
{
	char parent[PATH_MAX];

	return writable_parent(path, parent) && stat(parent, status) == 0;
}

bool
writable_by_all(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	if (all_may_write(&status))
		return true;
	/* In a sticky directory such as /tmp, users cannot replace files of others. */
	return get_parent(path, &status) && (status.st_mode & S_ISVTX) == 0 &&
	       all_may_write(&status);
}

bool
writable_foreign(const char *path)
{
	char plain[PATH_MAX];
	struct stat status;

	if (!get_parent(path, &status) || !copy(path, measure(path), plain))
		return false;
	if (writable_stranger(&status) == NULL || lstat(plain, &status) != 0)
		return false;
	return writable_is_strangers(&status);
}
