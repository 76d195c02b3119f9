/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.c - prints GLib's help text, with "..." for its ellipsis and without blank lines at the
 * end, and adds a suggestion to GLib's message about an unknown option.
 */
#include "help.h"

#include <limen/nearest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
help_print(GOptionContext *context)
{
	g_autofree char *text = g_option_context_get_help(context, FALSE, NULL);
	g_autoptr(GString) help = g_string_new(text);

	/* GLib writes an ellipsis that not every terminal can show. */
	g_string_replace(help, "\342\200\246", "...", 0);
	while (g_str_has_suffix(help->str, "\n\n"))
		g_string_truncate(help, help->len - 1);
	fputs(help->str, stdout);
}

char *
help_explain(const GOptionEntry *rows, const GError *error)
{
	const char *dashes = strstr(error->message, "--");
	g_autofree char *word = NULL;
	limen_nearest best;

	if (dashes == NULL ||
	    !g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		return g_strdup(error->message);
	word = g_strndup(dashes + 2, strcspn(dashes + 2, "= "));
	best = limen_nearest_to(word);
	for (; rows->long_name != NULL; rows++)
		limen_nearest_offer(&best, rows->long_name);
	return best.word == NULL ? g_strdup(error->message)
	                         : g_strdup_printf("%s (did you mean --%s?)", error->message,
	                                           best.word);
}

char *
help_module_path(const char *given)
{
	const char *inherited = getenv("LIMEN_MODULE_PATH");

	if (inherited != NULL && inherited[0] == '\0')
		inherited = NULL;
	/* NULL ends g_strjoin(), so the argument that may be NULL comes last. */
	return given == NULL ? g_strdup(inherited) : g_strjoin(":", given, inherited, NULL);
}
