/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_find.h - the files that arguments of "limen test" stand for.
 */
#ifndef LIMEN_PROGRAM_TESTS_FIND_H
#define LIMEN_PROGRAM_TESTS_FIND_H

#include <glib.h>

/*
 * Returns the paths for g_ptr_array_unref(): files as they are named, and of
 * directories (NULL: this one) everything below that is called like a file of
 * tests, in byte order.
 */
GPtrArray *tests_find_files(char **arguments);

#endif
