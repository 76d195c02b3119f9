/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - parses the options of a command with GLib, and adds the options that every command
 * has.  Owns the names of the output formats.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "common/help.h"
#include "common/option_values.h"
#include "message.h"

static const char *const format_names[] = { "text",  "json",  "markdown", "schema",
	                                    "yaml", "patch", "review",   "dot",
	                                    "svg",  "html",  "tap",      "junit", "github" };

static const char *const color_names[] = { "auto", "always", "never", NULL };

/* Appends the common options to 'all', which has 'count' rows already. */
static void
add_common_rows(GOptionEntry *all, size_t count, common_options *common)
{
	all[count++] = (GOptionEntry){ .long_name = "module-path", .arg = G_OPTION_ARG_FILENAME,
		.arg_data = &common->module_path, .arg_description = "DIRS",
		.description = "Look for modules here first (a:b:c)" };
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

/* Prints and frees the message 'wrong' and returns false; returns true if it is NULL. */
static bool
refuse(const command *self, char *wrong)
{
	if (wrong == NULL)
		return true;
	message_usage(self, "%s", wrong);
	g_free(wrong);
	return false;
}

static char *
check_color(const common_options *common)
{
	if (common->color == NULL || g_strv_contains(color_names, common->color))
		return NULL;
	return g_strdup_printf("--color takes auto, always or never, not '%s'", common->color);
}

/* Sets the variables of options with one value; returns false after a message. */
static bool
take_values(const command *self, const common_options *common, const option_values *values)
{
	return refuse(self, option_values_read(values, common->numbers)) &&
	       refuse(self, check_color(common));
}

/* Moves the allocated texts of the rows to 'common', which frees them. */
static void
keep_texts(common_options *common, const GOptionEntry *rows)
{
	if (common->texts == NULL)
		common->texts = g_ptr_array_new_with_free_func(g_free);
	for (; rows->long_name != NULL; rows++) {
		if (rows->arg == G_OPTION_ARG_FILENAME) {
			/* An option with an older name has two rows that share one text. */
			if (!g_ptr_array_find(common->texts, *(char **)rows->arg_data, NULL))
				g_ptr_array_add(common->texts, *(char **)rows->arg_data);
		} else if (rows->arg == G_OPTION_ARG_FILENAME_ARRAY) {
			char **list = *(char ***)rows->arg_data;

			for (char **item = list; item != NULL && *item != NULL; item++)
				g_ptr_array_add(common->texts, *item);
			g_ptr_array_add(common->texts, list);
		}
	}
}

void
options_free(common_options *common)
{
	if (common->texts != NULL)
		g_ptr_array_unref(common->texts);
	g_free(common->module_path);
	g_free(common->color);
}

bool
options_read(const command *self, common_options *common, const GOptionEntry *rows, int argc,
             char **argv, int *status)
{
	GOptionEntry all[OPTIONS_MAX + 4];
	GOptionContext *context = g_option_context_new(self->arguments);
	GError *error = NULL;
	char *name = g_strdup_printf("limen %s", self->name);
	option_values *values;
	bool good;

	add_common_rows(all, copy_rows(all, rows), common);
	values = option_values_new(all);
	g_set_prgname(name);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_summary(context, self->summary);
	g_option_context_set_description(context, self->details);
	g_option_context_add_main_entries(context, all, NULL);
	good = g_option_context_parse(context, &argc, &argv, &error) ||
	       refuse(self, help_explain(all, error));
	if (good && common->help)
		help_print(context);
	else if (good)
		good = take_values(self, common, values);
	if (error == NULL)
		keep_texts(common, rows);
	*status = good ? STATUS_GOOD : STATUS_ERROR;
	g_clear_error(&error);
	g_ptr_array_unref(values);
	g_option_context_free(context);
	g_free(name);
	return good && !common->help;
}

bool
options_read_global(common_options *common, gboolean *version, int *argc, char **argv)
{
	GOptionEntry all[5] = {
		{ .long_name = "version", .arg = G_OPTION_ARG_NONE, .arg_data = version },
	};
	GOptionContext *context = g_option_context_new(NULL);
	option_values *values;
	GError *error = NULL;
	bool good;

	add_common_rows(all, 1, common);
	values = option_values_new(all);
	g_option_context_set_help_enabled(context, FALSE);
	/* Stops at the name of the command: its options are parsed later. */
	g_option_context_set_strict_posix(context, TRUE);
	g_option_context_add_main_entries(context, all, NULL);
	good = g_option_context_parse(context, argc, &argv, &error)
	               ? take_values(NULL, common, values)
	               : refuse(NULL, help_explain(all, error));
	g_clear_error(&error);
	g_ptr_array_unref(values);
	g_option_context_free(context);
	return good;
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
