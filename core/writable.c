/* SPDX-License-Identifier: Apache-2.0 */
#include "writable.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* In a directory like /tmp (sticky) nobody can replace what is somebody else's. */
static bool
is_replaceable(const char *path)
{
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - path);
	struct stat status;

	if (length >= sizeof(parent))
		return false;
	memcpy(parent, path, length);
	parent[length] = '\0';
	if (stat(slash == NULL ? "." : length == 0 ? "/" : parent, &status) != 0)
		return false;
	return (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
}

bool
writable_by_all(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	return (status.st_mode & S_IWOTH) != 0 || is_replaceable(path);
}
