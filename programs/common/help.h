/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.h - prints the help of a command line.
 */
#ifndef LIMEN_PROGRAM_HELP_H
#define LIMEN_PROGRAM_HELP_H

#include <glib.h>

/* Writes the help that GLib makes of 'context' to standard output, in ASCII. */
void help_print(GOptionContext *context);

#endif
