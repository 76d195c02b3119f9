/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_read.h - reads whole files up to a size limit and detects changes.
 */
#ifndef LIMEN_CORE_FILE_FILE_READ_H
#define LIMEN_CORE_FILE_FILE_READ_H

#include <limen/types.h>

/*
 * Reads the regular file at 'path' into malloc()ed memory with a
 * final NUL.  Returns LIMEN_OK, LIMEN_ERANGE (over 64 MiB), LIMEN_ENOMEM, or
 * LIMEN_EIO with errno set.
 */
int file_read(const char *path, char **text, size_t *length);

/* A hash of 'length' bytes that differs when the content does, as far as anyone can tell. */
uint64_t file_hash(const void *bytes, size_t length);

#endif
