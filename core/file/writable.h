/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writable.h - tells which users of this host can change a file that limen trusts.
 */
#ifndef LIMEN_CORE_FILE_WRITABLE_H
#define LIMEN_CORE_FILE_WRITABLE_H

#include <limen/types.h>
#include <limits.h>
#include <sys/stat.h>

/*
 * Returns true if every user may write to the file or directory at 'path', or replace
 * it.  Its group may be meant to write.  A link counts as its target.  Returns false if
 * stat() fails.
 */
bool writable_by_all(const char *path);

/*
 * Names the strangers that may write to the file or directory of 'status': "every user",
 * "a group" that is not root's, this process' or the owner's own, or NULL.
 */
const char *writable_stranger(const struct stat *status);

/* Returns true if the owner is neither root nor the user of this process. */
bool writable_is_strangers(const struct stat *status);

/*
 * Is 'path' owned by another user, in a directory where strangers may put files?  A link
 * counts as itself.
 */
bool writable_foreign(const char *path);

/* Stores the directory that 'path' is in; false: it is too long. */
bool writable_parent(const char *path, char parent[PATH_MAX]);

#endif
