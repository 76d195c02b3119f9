/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writable.h - can everybody on this host change what limen is about to believe?
 */
#ifndef LIMEN_CORE_WRITABLE_H
#define LIMEN_CORE_WRITABLE_H

#include <limen/types.h>
#include <limits.h>

/*
 * May everybody write to the file or directory at 'path', or put another file in
 * its place?  Those of its group may be meant to.  A link counts as what it leads
 * to.  What cannot be looked at is not for this function to complain about.
 */
bool writable_by_all(const char *path);

/*
 * Is 'path' in a directory where everybody may put files, and of a user who is neither root
 * nor the one that runs this?  A link counts as itself.
 */
bool writable_foreign(const char *path);

/* Stores the directory that 'path' is in; false: it is too long. */
bool writable_parent(const char *path, char parent[PATH_MAX]);

#endif
