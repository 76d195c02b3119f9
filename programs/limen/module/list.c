/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - "limen module list": lists the installed modules.
 */
#include <stdio.h>

#include "cli/columns.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/json_out.h"
#include "policy/catalog.h"

enum { COLUMNS = 6, SHORT_COLUMNS = 3 };

/* Fills 'cells' with one row; the text of the ABI version is written to 'abi'. */
static void
fill_cells(const limen_module_info *module, const char *cells[COLUMNS], char abi[32])
{
	g_snprintf(abi, 32, "%u.%u", module->abi_major, module->abi_minor);
	cells[0] = limen_kind_name(module->kind);
	cells[1] = module->type;
	cells[2] = module->summary == NULL ? "" : module->summary;
	cells[3] = module->version == NULL ? "-" : module->version;
	cells[4] = abi;
	cells[5] = module->file == NULL ? "built in" : module->file;
}

/* Prints a table, or a JSON array with one module on each line. */
static void
print_all(const module_catalog *catalog, bool as_json, bool detailed)
{
	static const char *const titles[COLUMNS] = { "KIND", "TYPE", "SUMMARY", "VERSION",
		"ABI", "FILE" };
	g_autoptr(GString) json = g_string_new("[");
	const char *cells[COLUMNS];
	columns table;
	char abi[32];

	columns_start(&table, detailed ? COLUMNS : SHORT_COLUMNS);
	columns_add_row(&table, titles);
	for (guint i = 0; i < catalog->modules->len; i++) {
		fill_cells(catalog->modules->pdata[i], cells, abi);
		columns_add_row(&table, cells);
		g_string_append(json, i == 0 ? "\n" : ",\n");
		json_write(json, "{kind:s type:s version:s abi:s file:s summary:s}", cells[0],
		           cells[1], cells[3], cells[4], cells[5], cells[2]);
	}
	if (as_json)
		printf("%s\n]\n", json->str);
	columns_finish(&table, !as_json);
}

static int
run_list(common_options *common)
{
	char *kind_name = NULL;
	gboolean detailed = FALSE;
	limen_kind kind = 0;
	const GOptionEntry rows[] = {
		OPTION_TEXT("kind", 0, &kind_name, "KIND", "List only modules of this kind"),
		OPTION_FLAG("long", 0, &detailed, "Show versions and files, too"),
		OPTION_FORMAT(common, "text or json"),
		OPTION_END,
	};
	g_autoptr(module_catalog) catalog = NULL;

	if (!options_read(common, rows))
		return common->status;
	if (kind_name != NULL && !catalog_read_kind(common->self, kind_name, &kind))
		return STATUS_ERROR;
	catalog = catalog_load(common, (int)kind);
	print_all(catalog, common->format == FORMAT_JSON, detailed);
	return STATUS_GOOD;
}

const command module_list_command = {
	.name = "module list",
	.arguments = NULL,
	.summary = "List the modules that are installed",
	.details =
		"The kinds are identifier, rewriter, limit, admission, prioritizer and store.\n"
		"A module that cannot be loaded is left out, with a warning that says why.\n"
		"\n"
		"Examples:\n"
		"  limen module list\n"
		"  limen module list --kind limit\n"
		"  limen module list --format json | jq -r '.[].type'\n",
	.formats = FORMATS_PLAIN,
	.run = run_list,
};
