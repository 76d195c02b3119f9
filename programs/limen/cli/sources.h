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
 * Returns the paths for g_ptr_array_unref(): files as named, and for directories the files in them
 * and in all directories below whose names are wanted, in byte order.
 */
GPtrArray *sources_find(char *const *arguments, bool (*is_wanted)(const char *name));

/*
 * As sources_find(), for files that end in .json, .yaml or .yml.  A directory without any stays in
 * the list, like an unreadable path: reading it reports the error.
 */
GPtrArray *sources_expand(char *const *arguments);

/* Returns true for a path: "-", a text with a "/", or one with the suffix of a data file. */
bool sources_is_path(const char *argument);

#endif
