/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - parses the options of a command with GLib, adds the options that every command has,
 * and suggests the nearest name for an unknown option.  Owns the names of the output formats.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>
#include <limen/nearest.h>

#include "common/help.h"
#include "common/number_option.h"
#include "message.h"

static const char *const format_names[] = { "text",  "json",  "markdown", "schema",
	                                    "yaml", "patch", "review",   "dot",
	                                    "svg",  "html",  "tap",      "junit" };

static const char *const color_names[] = { "auto", "always", "never" };

/* Adds the rows of every command to 'all', which holds 'count' rows already. */
static void
add_common_rows(GOptionEntry *all, size_t count, common_options *common)
{
	all[count++] = (GOptionEntry){ .long_name = "module-path", .arg = G_OPTION_ARG_FILENAME,
		.arg_data = &common->module_path, .arg_description = "DIRS",
		.description = "Look for modules here first (colons between)" };
	all[count++] = (GOptionEntry){ .long_name = "color", .arg = G_OPTION_ARG_FILENAME,
		.arg_data = &common->color, .arg_description = "WHEN",
		.description = "Colour the text: auto, always or never" };
	all[count++] = (GOptionEntry){ .long_name = "help", .short_name = 'h',
		.arg = G_OPTION_ARG_NONE, .arg_data = &common->help,
		.description = "Show this help" };
	all[count] = (GOptionEntry){ .long_name = NULL };
}

static size_t
copy_rows(GOptionEntry all[OPTIONS_MAX + 4], const GOptionEntry *rows)
{
	size_t count = 0;

	while (rows != NULL && rows[count].long_name != NULL && count < OPTIONS_MAX) {
		all[count] = rows[count];
		count++;
	}
	return count;
}

/* The nearest option to the unknown one that GLib's message ends with, or NULL. */
static const char *
find_meant_option(const GOptionEntry *rows, const char *message)
{
	const char *dashes = strstr(message, "--");
	limen_nearest best;
	char *word;

	if (dashes == NULL)
		return NULL;
	word = g_strndup(dashes + 2, strcspn(dashes + 2, "= "));
	best = limen_nearest_to(word);
	for (size_t i = 0; rows[i].long_name != NULL; i++)
		limen_nearest_offer(&best, rows[i].long_name);
	g_free(word);
	return best.word;
}

static options_result
explain_failure(const command *self, const GOptionEntry *rows, const GError *error)
{
	const char *meant = NULL;

	if (g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		meant = find_meant_option(rows, error->message);
	if (meant != NULL)
		message_usage(self, "%s (did you mean --%s?)", error->message, meant);
	else
		message_usage(self, "%s", error->message);
	return OPTIONS_WRONG;
}

static options_result
check_numbers(const command *self, const common_options *common, const number_texts *texts)
{
	char *wrong = common->help ? NULL : number_texts_read(texts, common->numbers);

	if (wrong != NULL)
		message_usage(self, "%s", wrong);
	g_free(wrong);
	return wrong == NULL ? OPTIONS_READY : OPTIONS_WRONG;
}

static options_result
check_color(const command *self, const common_options *common)
{
	if (common->color == NULL)
		return OPTIONS_READY;
	for (size_t i = 0; i < G_N_ELEMENTS(color_names); i++)
		if (strcmp(common->color, color_names[i]) == 0)
			return OPTIONS_READY;
	message_usage(self, "--color takes auto, always or never, not '%s'", common->color);
	return OPTIONS_WRONG;
}

options_result
options_read(const command *self, common_options *common, const GOptionEntry *rows, int argc,
             char **argv)
{
	GOptionEntry all[OPTIONS_MAX + 4];
	GOptionContext *context = g_option_context_new(self->arguments);
	options_result result = OPTIONS_READY;
	GError *error = NULL;
	char *name = g_strdup_printf("limen %s", self->name);
	number_texts *texts;

	add_common_rows(all, copy_rows(all, rows), common);
	texts = number_texts_new(all);
	g_set_prgname(name);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_summary(context, self->summary);
	g_option_context_set_description(context, self->details);
	g_option_context_add_main_entries(context, all, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		result = explain_failure(self, all, error);
	else
		result = check_color(self, common);
	if (result == OPTIONS_READY)
		result = check_numbers(self, common, texts);
	if (result == OPTIONS_READY && common->help) {
		help_print(context);
		result = OPTIONS_HELPED;
	}
	g_clear_error(&error);
	number_texts_free(texts);
	g_option_context_free(context);
	g_free(name);
	return result;
}

options_result
options_read_global(common_options *common, gboolean *version, int *argc, char **argv)
{
	GOptionEntry all[5] = {
		{ .long_name = "version", .arg = G_OPTION_ARG_NONE, .arg_data = version },
	};
	GOptionContext *context = g_option_context_new(NULL);
	options_result result = OPTIONS_READY;
	GError *error = NULL;

	add_common_rows(all, 1, common);
	g_option_context_set_help_enabled(context, FALSE);
	/* Stops at the name of the command, whose options are not known here. */
	g_option_context_set_strict_posix(context, TRUE);
	g_option_context_add_main_entries(context, all, NULL);
	if (!g_option_context_parse(context, argc, &argv, &error))
		result = explain_failure(NULL, all, error);
	else
		result = check_color(NULL, common);
	g_clear_error(&error);
	g_option_context_free(context);
	return result;
}

bool
options_format(const command *self, const char *text, unsigned known, output_format *out)
{
	GString *names = g_string_new(NULL);

	*out = FORMAT_TEXT;
	for (size_t i = 0; i < G_N_ELEMENTS(format_names); i++) {
		if ((known & FORMAT_BIT(i)) == 0)
			continue;
		if (text == NULL || strcmp(text, format_names[i]) == 0) {
			*out = (output_format)i;
			g_string_free(names, TRUE);
			return true;
		}
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", format_names[i]);
	}
	message_usage(self, "--format takes one of %s, not '%s'", names->str, text);
	g_string_free(names, TRUE);
	return false;
}
