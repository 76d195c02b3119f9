/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - reads whole files, and standard input where the name is "-".
 */
#ifndef LIMEN_PROGRAM_INPUT_H
#define LIMEN_PROGRAM_INPUT_H

#include <glib.h>
#include <stdbool.h>

/* The largest file that is read whole. */
#define INPUT_MAX ((size_t)64 << 20)

/* Does 'path' mean standard input? */
bool input_is_stdin(const char *path);

/* How many of 'paths', up to NULL (or NULL itself), mean standard input. */
size_t input_streams(char *const *paths);

/* What messages call 'path'. */
const char *input_name(const char *path);

/* Opens 'path' for reading; returns a descriptor, or -1 with '*why' to g_free(). */
int input_open(const char *path, char **why);

/*
 * Returns the content of 'path', or NULL with '*why' ("PATH: REASON") to
 * g_free().  Anything above INPUT_MAX is not read.
 */
GString *input_read(const char *path, char **why);

#endif
