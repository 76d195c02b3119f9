/* SPDX-License-Identifier: Apache-2.0 */
#include "writable.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
writable_parent(const char *path, char parent[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 1 : (size_t)(slash - path);

	if (length >= PATH_MAX)
		return false;
	memcpy(parent, slash == NULL ? "." : path, length);
	parent[length] = '\0';
	if (length == 0)
		memcpy(parent, "/", 2);
	return true;
}

/* Returns the mode of the directory of 'path', 0 if it cannot be looked at. */
static mode_t
get_parent_mode(const char *path)
{
	char parent[PATH_MAX];
	struct stat status;

	return writable_parent(path, parent) && stat(parent, &status) == 0 ? status.st_mode : 0;
}

/* In a directory like /tmp (sticky) nobody can replace what is somebody else's. */
static bool
is_replaceable(const char *path)
{
	return (get_parent_mode(path) & (S_IWOTH | S_ISVTX)) == S_IWOTH;
}

bool
writable_by_all(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	return (status.st_mode & S_IWOTH) != 0 || is_replaceable(path);
}

bool
writable_foreign(const char *path)
{
	struct stat status;

	if ((get_parent_mode(path) & S_IWOTH) == 0 || lstat(path, &status) != 0)
		return false;
	return status.st_uid != 0 && status.st_uid != geteuid();
}
