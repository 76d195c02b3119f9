/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replace_file.h - gives a file another content in one step, so that nobody reads a piece
 * of it.
 */
#ifndef LIMEN_PROGRAM_REPLACE_FILE_H
#define LIMEN_PROGRAM_REPLACE_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Puts 'text' where the file 'path' is, which is no link.  Its mode stays, and its owner
 * and group where the caller may give them.  Returns true, or false with '*why' ("PATH:
 * REASON") to g_free(); then the file is as it was.
 */
bool replace_file(const char *path, const GString *text, char **why);

#endif
