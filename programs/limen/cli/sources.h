/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - the files that arguments of a command stand for: of a directory
 * those that hold JSON or YAML.
 */
#ifndef LIMEN_PROGRAM_SOURCES_H
#define LIMEN_PROGRAM_SOURCES_H

#include <glib.h>
#include <stdbool.h>

/*
 * Returns the paths for g_ptr_array_unref(); of a directory its regular files
 * that end in .json, .yaml or .yml, in byte order of their names.  What cannot be
 * read stays in the list: reading it tells why.
 */
GPtrArray *sources_expand(char **arguments);

/*
 * Returns the names in a directory that do not begin with a dot, in byte order, for
 * g_ptr_array_unref(); none if it cannot be read.
 */
GPtrArray *sources_names(const char *directory);

/* Is this argument a path rather than a name?  It has a "/", or ends like a file of data. */
bool sources_is_path(const char *argument);

#endif
