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
#include "common/auto.h"
#include "policy/catalog.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* The command line, and the number of modules shown. */
typedef struct explanation {
	const common_options *common;
	size_t shown;
} explanation;

static void
show_module(void *data, const limen_module_info *module)
{
	explanation *self = data;
	output_format format = self->common->format;

	if (self->shown++ > 0 && format != FORMAT_JSON)
		fputc('\n', stdout);
	if (format == FORMAT_JSON)
		explain_json(module);
	else if (format == FORMAT_SCHEMA)
		explain_schema(module);
	else if (format == FORMAT_MARKDOWN)
		explain_markdown(module);
	else
		explain_text(module, terminal_width());
}

/* Lists the types of 'kind', or of all kinds if it is 0. */
static int
list_types(explanation *self, int kind)
{
	g_autoptr(module_catalog) catalog = catalog_load(self->common, kind);
	size_t widest = 0;

	/*
	 * Without a kind, the schema is that of a whole policy: schemas of all types cannot be
	 * one.
	 */
	if (self->common->format == FORMAT_SCHEMA && kind == 0) {
		explain_policy_schema(catalog);
		return STATUS_GOOD;
	}
	for (guint i = 0; i < catalog->modules->len; i++) {
		const limen_module_info *module = catalog->modules->pdata[i];

		widest = MAX(widest, strlen(limen_kind_name(module->kind)) + strlen(module->type));
	}
	for (guint i = 0; i < catalog->modules->len; i++) {
		const limen_module_info *module = catalog->modules->pdata[i];
		const char *name = limen_kind_name(module->kind);

		if (self->common->format != FORMAT_TEXT)
			show_module(self, module);
		else
			message_print(stdout, "%s/%-*s  %s\n", name, (int)(widest - strlen(name)),
			              module->type, module->summary == NULL ? "" : module->summary);
	}
	return STATUS_GOOD;
}

/* Reports that 'name' is unknown, and suggests the nearest name. */
static int
report_unknown(const common_options *common, int kind, const char *name, const char *type)
{
	g_autoptr(module_catalog) catalog = catalog_load(common, kind);
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
	return STATUS_BAD;
}

/* Shows every module called 'type' of 'kind', or of all kinds if it is 0. */
static int
show_type(explanation *self, int kind, const char *name, const char *type)
{
	g_autoptr(limen_engine) engine = policy_engine(self->common, LIMEN_ENGINE_PASSIVE);
	g_autoptr(limen_diag) diag = policy_diag();
	int first = kind == 0 ? LIMEN_KIND_IDENTIFIER : kind;
	int last = kind == 0 ? KIND_COUNT : kind;

	for (int i = first; i <= last; i++)
		limen_engine_find_module(engine, (limen_kind)i, type, show_module, self, diag);
	problems_print_plain(diag);
	if (limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0)
		return STATUS_BAD;
	return self->shown > 0 ? STATUS_GOOD : report_unknown(self->common, kind, name, type);
}

/* Shows 'name': TYPE, KIND/TYPE or KIND. */
static int
explain_name(explanation *self, const char *name)
{
	const char *slash = strchr(name, '/');
	const char *meant = NULL;
	limen_kind kind = 0;
	g_autofree char *kind_name = g_strndup(name, strcspn(name, "/"));

	if (slash == NULL)
		return catalog_kind(name, &kind, &meant) ? list_types(self, (int)kind)
		                                         : show_type(self, 0, name, name);
	return catalog_read_kind(self->common->self, kind_name, &kind)
	               ? show_type(self, (int)kind, name, slash + 1)
	               : STATUS_ERROR;
}

static int
run_explain(common_options *common)
{
	explanation self = { .common = common };
	char **names = NULL;
	const GOptionEntry rows[] = {
		OPTION_FORMAT(common, "text, json, markdown, or schema (JSON Schema)"),
		OPTION_REST(&names),
		OPTION_END,
	};

	if (!options_read(common, rows))
		return common->status;
	if (names != NULL && names[1] != NULL)
		return message_usage(common->self, "unexpected argument '%s'", names[1]);
	return names == NULL ? list_types(&self, 0) : explain_name(&self, names[0]);
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
	.formats = FORMATS_PLAIN | FORMAT_BIT(FORMAT_MARKDOWN) | FORMAT_BIT(FORMAT_SCHEMA),
	.run = run_explain,
};
