/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writable.h - can everybody on this host change what limen is about to believe?
 */
#ifndef LIMEN_CORE_WRITABLE_H
#define LIMEN_CORE_WRITABLE_H

#include <limen/types.h>

/*
 * May everybody write to the file or directory at 'path', or put another file in
 * its place?  Those of its group may be meant to.  A link counts as what it leads
 * to.  What cannot be looked at is not for this function to complain about.
 */
bool writable_by_all(const char *path);

#endif
