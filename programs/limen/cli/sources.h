/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - expands the arguments of a command to files: a directory stands for the JSON and
 * YAML files in it.
 */
#ifndef LIMEN_PROGRAM_SOURCES_H
#define LIMEN_PROGRAM_SOURCES_H

#include <glib.h>
#include <stdbool.h>

/*
 * Returns the paths for g_ptr_array_unref().  A directory is replaced by its regular files that
 * end in .json, .yaml or .yml, in byte order.  Unreadable paths stay in the list: reading them
 * reports the error.
 */
GPtrArray *sources_expand(char **arguments);

/*
 * Returns the names in a directory that do not begin with a dot, in byte order, for
 * g_ptr_array_unref(); an empty array if it cannot be read.
 */
GPtrArray *sources_names(const char *directory);

/* Returns true for a path: "-", a text with a "/", or one with the suffix of a data file. */
bool sources_is_path(const char *argument);

#endif
