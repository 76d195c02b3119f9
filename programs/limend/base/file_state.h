/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_state.h - tells whether a file has to be read again.
 */
#ifndef LIMEND_FILE_STATE_H
#define LIMEND_FILE_STATE_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Stores the state of a file (all zero: there is none, or 'path' is NULL) and returns whether it is
 * another than 'seen' was.  Follows symbolic links: Kubernetes replaces a volume by exchanging a
 * link above its files.
 */
bool file_state_changed(const char *path, struct stat *seen);

#endif
