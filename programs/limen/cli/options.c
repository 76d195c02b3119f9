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
#include "terminal.h"

static const char *const format_names[] = { "text",  "json",  "markdown", "schema",
	                                    "yaml", "patch", "review",   "dot",
	                                    "svg",  "html",  "tap",      "junit", "github",
	                                    "policyreport" };

static const char *const color_names[] = { "auto", "always", "never", NULL };

/* Copies the rows of a command, and adds the common options. */
static void
join_rows(GOptionEntry all[OPTIONS_MAX + 4], const GOptionEntry *rows, common_options *common)
{
	size_t count = 0;

	for (; rows[count].long_name != NULL && count < OPTIONS_MAX; count++)
		all[count] = rows[count];
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

/* Prints and frees the message 'wrong' and returns false; returns true if it is NULL. */
static bool
refuse(const command *self, char *wrong)
{
	if (wrong != NULL)
		message_usage(self, "%s", wrong);
	g_free(wrong);
	return wrong == NULL;
}

/* Finds the format that --format names.  Returns an error to g_free(), or NULL. */
static char *
read_format(const command *self, common_options *common)
{
	g_autoptr(GString) names = g_string_new(NULL);
	const char *text = common->format_name;

	for (size_t i = 0; self != NULL && i < G_N_ELEMENTS(format_names); i++) {
		if ((self->formats & FORMAT_BIT(i)) == 0)
			continue;
		if (text == NULL || strcmp(text, format_names[i]) == 0) {
			common->format = (output_format)i;
			return NULL;
		}
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", format_names[i]);
	}
	return text == NULL ? NULL
	                    : g_strdup_printf("--format takes one of %s, not '%s'", names->str, text);
}

/* Sets the variables of options with one value; returns false after a message. */
static bool
take_values(const command *self, common_options *common, const option_values *values)
{
	char *wrong = option_values_read(values, self == NULL ? NULL : self->numbers);

	if (wrong == NULL && common->color != NULL && !g_strv_contains(color_names, common->color))
		wrong = g_strdup_printf("--color takes auto, always or never, not '%s'",
		                        common->color);
	return refuse(self, wrong == NULL ? read_format(self, common) : wrong);
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

/* Parses 'rows' and the common options; returns false after a message. */
static bool
parse(const command *self, common_options *common, GOptionContext *context,
      const GOptionEntry *rows)
{
	GOptionEntry all[OPTIONS_MAX + 4];
	g_autoptr(GPtrArray) values = NULL;
	g_autoptr(GError) error = NULL;
	bool good;

	join_rows(all, rows, common);
	values = option_values_new(all);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, all, NULL);
	if (!g_option_context_parse(context, &common->argc, &common->argv, &error))
		return refuse(self, help_explain(all, error));
	good = (self != NULL && common->help) || take_values(self, common, values);
	keep_texts(common, rows);
	return good;
}

bool
options_read(common_options *common, const GOptionEntry *rows)
{
	const command *self = common->self;
	g_autoptr(GOptionContext) context = g_option_context_new(self->arguments);
	g_autofree char *name = g_strdup_printf("limen %s", self->name);
	bool good;

	g_set_prgname(name);
	g_option_context_set_summary(context, self->summary);
	g_option_context_set_description(context, self->details);
	good = parse(self, common, context, rows);
	terminal_start(common, common->help || (common->format == FORMAT_TEXT && !self->verbatim));
	if (good && common->help)
		help_print(context);
	else if (good && common->argc > 1)
		good = refuse(self, g_strdup_printf("unexpected argument '%s'", common->argv[1]));
	common->status = good ? STATUS_GOOD : STATUS_ERROR;
	return good && !common->help;
}

bool
options_read_global(common_options *common, gboolean *version)
{
	const GOptionEntry rows[] = {
		{ .long_name = "version", .arg = G_OPTION_ARG_NONE, .arg_data = version },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	/* Stops at the name of the command: its options are parsed later. */
	g_option_context_set_strict_posix(context, TRUE);
	return parse(NULL, common, context, rows);
}
