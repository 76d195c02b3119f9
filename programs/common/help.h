/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.h - what the command lines of both programs say: their help, and what is wrong.
 */
#ifndef LIMEN_PROGRAM_HELP_H
#define LIMEN_PROGRAM_HELP_H

#include <glib.h>

/* Writes the help that GLib makes of 'context' to standard output, in ASCII. */
void help_print(GOptionContext *context);

/*
 * Returns what GLib says of a command line that it could not read, to g_free(), with the
 * option of 'rows' that is most like an unknown one.
 */
char *help_explain(const GOptionEntry *rows, const GError *error);

/*
 * Returns the module path that 'given' of the command line (NULL: none) and $LIMEN_MODULE_PATH
 * make together, to g_free(), or NULL if neither is there.
 */
char *help_module_path(const char *given);

#endif
