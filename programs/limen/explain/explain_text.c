/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_text.c - prints a module and its options as text wrapped for a terminal, or as Markdown.
 */
#include <glib.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/option_words.h"
#include "cli/terminal.h"
#include "explain.h"

static void
print_fact(const char *label, const char *text, size_t width)
{
	g_autofree char *line = g_strdup_printf("%s: %s", label, text);

	if (text != NULL)
		terminal_wrap(line, 6, width);
}

static void
print_option(const limen_option *option, const char *prefix, size_t width)
{
	g_autofree char *range = option_range(option);
	g_autofree char *choices = option_choices(option);
	g_autofree char *items = option_items(option);

	message_print(stdout, "  %s%s <%s>%s\n", prefix, option->key, option_type_name(option),
	              option->required ? " -required-" : "");
	print_fact("range", range, width);
	print_fact("one of", choices, width);
	print_fact("length", items, width);
	print_fact("pattern", option->pattern, width);
	print_fact("default", option->fallback, width);
	print_fact("secret", option->secret ? "never shown in messages" : NULL, width);
	if (option->help != NULL)
		terminal_wrap(option->help, 6, width);
}

/* Calls 'print' for each option, and after a list of objects for those in its table: "key[].". */
static void
each_option(const limen_module_info *module, const limen_option *parent, const char *prefix,
            size_t width,
            void (*print)(const limen_option *option, const char *prefix, size_t width))
{
	g_auto(option_table) rows = option_rows(module, parent);

	for (const limen_option *option = rows; option->type != LIMEN_OPTION_NONE; option++) {
		g_autofree char *inner = g_strdup_printf("%s%s[].", prefix, option->key);

		print(option, prefix, width);
		if (option->type == LIMEN_OPTION_ROWS)
			each_option(NULL, option, inner, width, print);
	}
}

void
explain_text(const limen_module_info *module, size_t width)
{
	message_print(stdout, "KIND:     %s\nTYPE:     %s\n", limen_kind_name(module->kind),
	              module->type);
	if (module->version != NULL)
		message_print(stdout, "VERSION:  %s\n", module->version);
	if (module->file != NULL)
		message_print(stdout, "FILE:     %s\n", module->file);
	if (module->summary != NULL) {
		puts("\nDESCRIPTION:");
		terminal_wrap(module->summary, 2, width);
	}
	puts("\nOPTIONS:");
	if (limen_module_option(module, 0) == NULL)
		puts("  none: \"data\" is {}");
	each_option(module, NULL, "", width, print_option);
}

static void
print_cell(const char *text)
{
	g_autoptr(GString) cell = g_string_new(text);

	g_string_replace(cell, "|", "\\|", 0);
	g_string_replace(cell, "\n", " ", 0);
	message_print(stdout, " %s |", cell->str);
}

/* Prints a cell of a text that is code; NULL gives an empty one. */
static void
print_code(const char *prefix, const char *text)
{
	g_autofree char *code = text == NULL ? g_strdup("") : g_strdup_printf("`%s%s`", prefix, text);

	print_cell(code);
}

/* Prints the cell that says which values are allowed. */
static void
print_allowed(const limen_option *option)
{
	char *facts[] = { option_range(option), option_choices(option), option_items(option),
		option->pattern == NULL ? NULL : g_strdup_printf("`%s`", option->pattern) };
	g_autoptr(GString) cell = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		if (facts[i] != NULL)
			g_string_append_printf(cell, "%s%s", cell->len == 0 ? "" : "; ", facts[i]);
		g_free(facts[i]);
	}
	print_cell(cell->str);
}

static void
print_markdown_option(const limen_option *option, const char *prefix, size_t width)
{
	g_autofree char *meaning = g_strconcat(
		option->help == NULL ? "" : option->help,
		option->secret ? "; secret: never shown in messages" : "", NULL);

	(void)width;
	fputc('|', stdout);
	print_code(prefix, option->key);
	print_cell(option_type_name(option));
	print_cell(option->required ? "yes" : "no");
	print_code("", option->fallback);
	print_allowed(option);
	print_cell(meaning);
	fputc('\n', stdout);
}

void
explain_markdown(const limen_module_info *module)
{
	message_print(stdout, "# %s `%s`\n", limen_kind_name(module->kind), module->type);
	if (module->summary != NULL)
		message_print(stdout, "\n%s\n", module->summary);
	if (limen_module_option(module, 0) == NULL) {
		puts("\nIt takes no options: `\"data\": {}`.");
		return;
	}
	puts("\n| option | value | required | default | allowed | meaning |\n"
	     "|---|---|---|---|---|---|");
	each_option(module, NULL, "", 0, print_markdown_option);
}
