/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.h - prints the help texts and the command line errors of both programs.
 */
#ifndef LIMEN_PROGRAM_HELP_H
#define LIMEN_PROGRAM_HELP_H

#include <glib.h>

/* Writes the help that GLib makes of 'context' to standard output, in ASCII. */
void help_print(GOptionContext *context);

/*
 * Returns GLib's message about a command line that it could not read, to g_free().  Adds the
 * option of 'rows' that is most similar to an unknown one.
 */
char *help_explain(const GOptionEntry *rows, const GError *error);

/*
 * Returns the module path to g_free(): 'given' from the command line (NULL: none), followed by
 * $LIMEN_MODULE_PATH.  Returns NULL if neither is set.
 */
char *help_module_path(const char *given);

#endif
