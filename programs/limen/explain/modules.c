/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modules.c - "limen modules": lists what is installed.
 */
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "common/json_out.h"
#include "policy/catalog.h"

enum { COLUMNS = 6 };

/* Fills 'cells' with what one line shows; the ABI version is written to 'abi'. */
static void
fill_cells(const limen_module_info *module, const char *cells[COLUMNS], char abi[32])
{
	g_snprintf(abi, 32, "%u.%u", module->abi_major, module->abi_minor);
	cells[0] = limen_kind_name(module->kind);
	cells[1] = module->type;
	cells[2] = module->version == NULL ? "-" : module->version;
	cells[3] = abi;
	cells[4] = module->file == NULL ? "-" : module->file;
	cells[5] = module->summary == NULL ? "" : module->summary;
}

static void
widen(size_t widths[COLUMNS], const char *const cells[COLUMNS])
{
	for (size_t i = 0; i < COLUMNS; i++)
		widths[i] = MAX(widths[i], strlen(cells[i]));
}

static void
print_row(const size_t widths[COLUMNS], const char *const cells[COLUMNS])
{
	for (size_t i = 0; i + 1 < COLUMNS; i++)
		message_print(stdout, "%-*s  ", (int)widths[i], cells[i]);
	message_print(stdout, "%s\n", cells[COLUMNS - 1]);
}

static void
print_table(const module_catalog *catalog)
{
	static const char *const titles[COLUMNS] = { "KIND", "TYPE", "VERSION", "ABI", "FILE",
		"SUMMARY" };
	size_t widths[COLUMNS] = { 0 };
	const char *cells[COLUMNS];
	char abi[32];

	widen(widths, titles);
	for (guint i = 0; i < catalog->modules->len; i++) {
		fill_cells(catalog->modules->pdata[i], cells, abi);
		widen(widths, cells);
	}
	print_row(widths, titles);
	for (guint i = 0; i < catalog->modules->len; i++) {
		fill_cells(catalog->modules->pdata[i], cells, abi);
		print_row(widths, cells);
	}
}

static void
append_module(GString *out, const limen_module_info *module)
{
	static const char *const keys[COLUMNS] = { "kind", "type", "version", "abi", "file",
		"summary" };
	const char *cells[COLUMNS];
	char abi[32];

	fill_cells(module, cells, abi);
	json_open(out, '{');
	for (size_t i = 0; i < COLUMNS; i++)
		json_put_string(out, keys[i], cells[i]);
	g_string_append_c(out, '}');
}

/* An array, each module on a line of its own. */
static void
print_json(const module_catalog *catalog)
{
	GString *out = g_string_new("[");

	for (guint i = 0; i < catalog->modules->len; i++) {
		g_string_append(out, i == 0 ? "\n" : ",\n");
		append_module(out, catalog->modules->pdata[i]);
	}
	g_string_append(out, "\n]");
	puts(out->str);
	g_string_free(out, TRUE);
}

static int
list_modules(const command *self, const common_options *common, const char *kind_name,
             output_format format)
{
	limen_kind kind = 0;
	const char *meant = NULL;
	module_catalog *catalog;

	if (kind_name != NULL && !catalog_kind(kind_name, &kind, &meant))
		return message_usage(self, "no kind of module is called '%s'%s%s%s", kind_name,
		                     meant == NULL ? "" : " (did you mean '",
		                     meant == NULL ? "" : meant, meant == NULL ? "" : "'?)");
	catalog = catalog_load(common, (int)kind);
	if (format == FORMAT_JSON)
		print_json(catalog);
	else
		print_table(catalog);
	catalog_free(catalog);
	return STATUS_GOOD;
}

static int
run_modules(const command *self, common_options *common, int argc, char **argv)
{
	char *kind = NULL;
	char *format_name = NULL;
	char **rest = NULL;
	output_format format = FORMAT_TEXT;
	const GOptionEntry rows[] = {
		OPTION_TEXT("kind", 0, &kind, "KIND", "List only modules of this kind"),
		OPTION_TEXT("format", 0, &format_name, "FORMAT", "text or json"),
		OPTION_REST(&rest),
		OPTION_END,
	};
	options_result result = options_read(self, common, rows, argc, argv);
	int status = result == OPTIONS_HELPED ? STATUS_GOOD : STATUS_ERROR;

	if (result == OPTIONS_READY && rest != NULL)
		message_usage(self, "unexpected argument '%s'", rest[0]);
	else if (result == OPTIONS_READY && options_format(self, format_name, FORMATS_PLAIN, &format))
		status = list_modules(self, common, kind, format);
	g_free(kind);
	g_free(format_name);
	g_strfreev(rest);
	return status;
}

const command modules_command = {
	.name = "modules",
	.arguments = NULL,
	.summary = "List the modules that are installed",
	.details =
		"The kinds are identifier, rewriter, limit, admission, prioritizer and store.\n"
		"A module that cannot be loaded is left out, with a warning that says why.\n"
		"\n"
		"Examples:\n"
		"  limen modules\n"
		"  limen modules --kind limit\n"
		"  limen modules --format json | jq -r '.[].type'\n",
	.run = run_modules,
};
