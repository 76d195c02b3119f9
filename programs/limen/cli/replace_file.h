/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replace_file.h - replaces the content of a file in one step: readers see the old or the new
 * content, never a part.
 */
#ifndef LIMEN_PROGRAM_REPLACE_FILE_H
#define LIMEN_PROGRAM_REPLACE_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Writes 'text' to the file 'path', which must not be a link.  Keeps its mode, and its owner
 * and group if the caller may set them.  Returns true, or false with '*why' ("PATH: REASON") to
 * g_free(), and the file unchanged.
 */
bool replace_file(const char *path, const GString *text, char **why);

#endif
