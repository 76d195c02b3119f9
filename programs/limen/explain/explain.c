/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - "limen explain": documents the options of modules from the modules' own tables.
 */
#include "explain.h"

#include <stdio.h>
#include <string.h>
#include <limen/nearest.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "policy/catalog.h"
#include "policy/policy.h"
#include "policy/problems.h"

#define FORMATS_EXPLAIN \
	(FORMATS_PLAIN | FORMAT_BIT(FORMAT_MARKDOWN) | FORMAT_BIT(FORMAT_SCHEMA))

/* Settings of the output, and the number of modules shown. */
typedef struct explanation {
	output_format format;
	size_t width;
	size_t shown;
} explanation;

static void
show_module(void *data, const limen_module_info *module)
{
	explanation *how = data;

	if (how->shown > 0 && how->format != FORMAT_JSON)
		fputc('\n', stdout);
	how->shown++;
	if (how->format == FORMAT_JSON)
		explain_json(module);
	else if (how->format == FORMAT_SCHEMA)
		explain_schema(module);
	else if (how->format == FORMAT_MARKDOWN)
		explain_markdown(module);
	else
		explain_text(module, how->width);
}

/* Lists the types of 'kind', or of all kinds if it is 0. */
static int
list_types(const common_options *common, explanation *how, int kind)
{
	module_catalog *catalog = catalog_load(common, kind);
	size_t widest = 0;

	/*
	 * Without a kind, the schema is that of a whole policy: schemas of all types cannot be
	 * one.
	 */
	if (how->format == FORMAT_SCHEMA && kind == 0) {
		explain_policy_schema(catalog);
		catalog_free(catalog);
		return STATUS_GOOD;
	}
	for (guint i = 0; i < catalog->modules->len; i++) {
		const limen_module_info *module = catalog->modules->pdata[i];

		widest = MAX(widest, strlen(limen_kind_name(module->kind)) + strlen(module->type));
	}
	for (guint i = 0; i < catalog->modules->len; i++) {
		const limen_module_info *module = catalog->modules->pdata[i];
		const char *name = limen_kind_name(module->kind);

		if (how->format != FORMAT_TEXT)
			show_module(how, module);
		else
			message_print(stdout, "%s/%-*s  %s\n", name, (int)(widest - strlen(name)),
			              module->type, module->summary == NULL ? "" : module->summary);
	}
	catalog_free(catalog);
	return STATUS_GOOD;
}

/* Reports that 'name' is unknown, and suggests the nearest name. */
static int
report_unknown(const common_options *common, int kind, const char *name, const char *type)
{
	module_catalog *catalog = catalog_load(common, kind);
	const limen_module_info *meant = NULL;
	limen_nearest best = limen_nearest_to(type);

	for (guint i = 0; i < catalog->modules->len; i++) {
		const limen_module_info *module = catalog->modules->pdata[i];
		const char *before = best.word;

		limen_nearest_offer(&best, module->type);
		if (best.word != before)
			meant = module;
	}
	if (meant != NULL)
		message_error("no module type is called '%s' (did you mean '%s/%s'?)", name,
		              limen_kind_name(meant->kind), meant->type);
	else
		message_error("no module type is called '%s'; 'limen explain' lists them", name);
	catalog_free(catalog);
	return STATUS_BAD;
}

/* Shows every module called 'type' of 'kind', or of all kinds if it is 0. */
static int
show_type(const common_options *common, explanation *how, int kind, const char *name,
          const char *type)
{
	limen_engine *engine = policy_engine(common, LIMEN_ENGINE_PASSIVE);
	limen_diag *diag = policy_diag();
	int first = kind == 0 ? LIMEN_KIND_IDENTIFIER : kind;
	int last = kind == 0 ? KIND_COUNT : kind;
	int status = STATUS_GOOD;

	for (int i = first; i <= last; i++)
		limen_engine_find_module(engine, (limen_kind)i, type, show_module, how, diag);
	if (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		status = STATUS_BAD;
	problems_print_plain(diag);
	limen_diag_free(diag);
	limen_engine_free(engine);
	if (how->shown == 0 && status == STATUS_GOOD)
		status = report_unknown(common, kind, name, type);
	return status;
}

/* Shows 'name': TYPE, KIND/TYPE or KIND. */
static int
explain_name(const command *self, const common_options *common, explanation *how, const char *name)
{
	const char *slash = strchr(name, '/');
	const char *meant = NULL;
	limen_kind kind = 0;
	char *kind_name;
	int status;

	if (slash == NULL && catalog_kind(name, &kind, &meant))
		return list_types(common, how, (int)kind);
	if (slash == NULL)
		return show_type(common, how, 0, name, name);
	kind_name = g_strndup(name, (size_t)(slash - name));
	status = catalog_read_kind(self, kind_name, &kind)
	                 ? show_type(common, how, (int)kind, name, slash + 1)
	                 : STATUS_ERROR;
	g_free(kind_name);
	return status;
}

static int
run_explain(const command *self, common_options *common, int argc, char **argv)
{
	explanation how = { .width = terminal_width() };
	char *format_name = NULL;
	char **names = NULL;
	const GOptionEntry rows[] = {
		OPTION_TEXT("format", 0, &format_name, "FORMAT",
		            "text, json, markdown, or schema (JSON Schema)"),
		OPTION_REST(&names),
		OPTION_END,
	};
	int status;

	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	if (names != NULL && names[1] != NULL)
		return message_usage(self, "unexpected argument '%s'", names[1]);
	if (!options_format(self, format_name, FORMATS_EXPLAIN, &how.format))
		return STATUS_ERROR;
	return names == NULL ? list_types(common, &how, 0)
	                     : explain_name(self, common, &how, names[0]);
}

const command explain_command = {
	.name = "explain",
	.arguments = "[[KIND/]TYPE]",
	.summary = "Show a module's purpose and options",
	.details =
		"Without TYPE, or with a KIND alone, the types are listed.  A TYPE that exists\n"
		"in several kinds is shown for each.  With --format schema alone, the schema\n"
		"describes whole policies.\n"
		"\n"
		"The exit status is 1 if there is no such type.\n"
		"\n"
		"Examples:\n"
		"  limen explain\n"
		"  limen explain run-schedule\n"
		"  limen explain limit/jq --format schema\n",
	.run = run_explain,
};
