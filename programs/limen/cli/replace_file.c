/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replace_file.c - writes a temporary file beside the old one, copies owner, mode and ACL
 * (acl(5)), syncs it, and renames it over the old file.  If the group or the ACL cannot be copied,
 * the group gets only the rights of others.
 */
#include "replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MODE_BITS (S_IRWXU | S_IRWXG | S_IRWXO)
/* Name of the ACL attribute on Linux (acl(5)); larger ACLs, which no file system has, are lost. */
#define ACL "system.posix_acl_access"
#define ACL_MAX 65536

static bool
is_without_list(void)
{
	return errno == ENODATA || errno == ENOTSUP;
}

/*
 * Copies the ACL (acl(5)).  Without it, the group mode bits, which are the ACL's mask, would
 * apply to the group itself.  Returns false if it could not be copied.
 */
static bool
copy_list(int fd, const char *path)
{
	char list[ACL_MAX];
	ssize_t length = getxattr(path, ACL, list, sizeof(list));

	if (length <= 0)
		return length == 0 || is_without_list();
	return fsetxattr(fd, ACL, list, (size_t)length, 0) == 0;
}

/*
 * Copies owner, group, mode and ACL.  A caller who may not change the owner may still set one
 * of their own groups (chown(2)); an ACL inherited from the directory is removed.  A failure to
 * copy group or ACL does not stop the replacement, but the group then gets only the rights of
 * others. Returns an errno value or 0, like the functions below.
 */
static int
keep_rights(int fd, const char *path, const struct stat *facts)
{
	mode_t mode = facts->st_mode & MODE_BITS;
	mode_t without_group = (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXO) << 3;
	bool is_kept = fchown(fd, facts->st_uid, facts->st_gid) == 0 ||
	               fchown(fd, (uid_t)-1, facts->st_gid) == 0;

	if ((fremovexattr(fd, ACL) != 0 && !is_without_list()) || fchmod(fd, without_group) != 0)
		return errno;
	if (!is_kept || !copy_list(fd, path))
		return 0;
	return fchmod(fd, mode) == 0 ? 0 : errno;
}

static int
fill(int fd, const char *path, const GString *text, const struct stat *facts)
{
	FILE *out = fdopen(fd, "w");
	int error = 0;

	if (out == NULL || fwrite(text->str, 1, text->len, out) < text->len || fflush(out) != 0)
		error = errno;
	if (error == 0)
		error = keep_rights(fd, path, facts);
	if (error == 0 && fsync(fd) != 0)
		error = errno;
	if ((out == NULL ? close(fd) : fclose(out)) != 0 && error == 0)
		error = errno;
	return error;
}

bool
replace_file(const char *path, const GString *text, char **why)
{
	g_autofree char *fresh = g_strconcat(path, ".XXXXXX", NULL);
	struct stat facts;
	int fd = stat(path, &facts) == 0 ? mkostemp(fresh, O_CLOEXEC) : -1;
	/* The content is on the disk before the rename. */
	int error = fd < 0 ? errno : fill(fd, path, text, &facts);

	if (error == 0 && rename(fresh, path) != 0)
		error = errno;
	if (error != 0 && fd >= 0)
		unlink(fresh);
	if (error != 0)
		*why = g_strdup_printf("%s: %s", path, g_strerror(error));
	return error == 0;
}
