/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writable.h - who on this host can change what limen is about to believe?
 */
#ifndef LIMEN_CORE_FILE_WRITABLE_H
#define LIMEN_CORE_FILE_WRITABLE_H

#include <limen/types.h>
#include <limits.h>
#include <sys/stat.h>

/*
 * May everybody write to the file or directory at 'path', or put another file in
 * its place?  Those of its group may be meant to.  A link counts as what it leads
 * to.  What cannot be looked at is not for this function to complain about.
 */
bool writable_by_all(const char *path);

/*
 * Which strangers may write to the file or directory that 'status' is of: "everybody",
 * "a group" that is not root's, this process' or the owner's own, or NULL.
 */
const char *writable_stranger(const struct stat *status);

/* Is what 'status' is of another user's than root's and the one's that runs this? */
bool writable_is_strangers(const struct stat *status);

/*
 * Is 'path' in a directory where a stranger may put files, and itself another user's?
 * A link counts as itself.
 */
bool writable_foreign(const char *path);

/* Stores the directory that 'path' is in; false: it is too long. */
bool writable_parent(const char *path, char parent[PATH_MAX]);

#endif
