/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.c - prints GLib's help text, with "..." for its ellipsis and without blank lines at the
 * end.
 */
#include "help.h"

#include <stdio.h>

void
help_print(GOptionContext *context)
{
	char *text = g_option_context_get_help(context, TRUE, NULL);
	GString *help = g_string_new(text);

	/* GLib writes an ellipsis that not every terminal can show. */
	g_string_replace(help, "\342\200\246", "...", 0);
	while (g_str_has_suffix(help->str, "\n\n"))
		g_string_truncate(help, help->len - 1);
	fputs(help->str, stdout);
	g_string_free(help, TRUE);
	g_free(text);
}
