/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_find.h - expands the arguments of "limen test" to files.
 */
#ifndef LIMEN_PROGRAM_TESTS_FIND_H
#define LIMEN_PROGRAM_TESTS_FIND_H

#include <glib.h>

/*
 * Returns the paths for g_ptr_array_unref(): files as named, and for directories (NULL: the
 * current one) all files below with the name of a test file, in byte order.
 */
GPtrArray *tests_find_files(char **arguments);

#endif
