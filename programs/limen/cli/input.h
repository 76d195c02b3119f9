/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - reads whole files, and standard input for the name "-".
 */
#ifndef LIMEN_PROGRAM_INPUT_H
#define LIMEN_PROGRAM_INPUT_H

#include <glib.h>
#include <stdbool.h>

/* Largest file that is read. */
#define INPUT_MAX ((size_t)64 << 20)

/* Returns true if 'path' means standard input. */
bool input_is_stdin(const char *path);

/* Counts the elements of 'paths', ended by NULL or NULL itself, that mean standard input. */
size_t input_streams(char *const *paths);

/* Returns the name of 'path' for messages; static text for standard input. */
const char *input_name(const char *path);

/* Opens 'path' for reading; returns a descriptor, or -1 with '*why' to g_free(). */
int input_open(const char *path, char **why);

/*
 * Returns the content of 'path', or NULL with '*why' ("PATH: REASON") to g_free().  Larger
 * files than INPUT_MAX are refused.
 */
GString *input_read(const char *path, char **why);

#endif
