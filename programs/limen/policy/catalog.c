/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog.c - lists the installed modules with a passive engine and copies their descriptions.
 * Finds a module kind by name, or suggests the nearest name.
 */
#include "catalog.h"

#include <string.h>
#include <limen/nearest.h>

#include "cli/message.h"
#include "common/auto.h"
#include "policy.h"
#include "problems.h"

typedef struct module_search {
	GPtrArray *modules;
	int kind; /* 0: all */
} module_search;

static void
add_module(void *data, const limen_module_info *info)
{
	module_search *search = data;
	limen_module_info *copy;

	if (search->kind != 0 && (int)info->kind != search->kind)
		return;
	copy = g_new(limen_module_info, 1);
	*copy = *info;
	copy->file = g_strdup(info->file);
	g_ptr_array_add(search->modules, copy);
}

static void
free_module(gpointer data)
{
	limen_module_info *module = data;

	g_free((char *)module->file);
	g_free(module);
}

module_catalog *
catalog_load(const common_options *common, int kind)
{
	module_catalog *catalog = g_new0(module_catalog, 1);
	g_autoptr(limen_diag) diag = policy_diag();
	module_search search = { g_ptr_array_new_with_free_func(free_module), kind };

	catalog->engine = policy_engine(common, LIMEN_ENGINE_PASSIVE);
	catalog->modules = search.modules;
	limen_engine_each_module(catalog->engine, add_module, &search, diag);
	problems_print_plain(diag);
	if (kind == 0 && catalog->modules->len == 0)
		message_error("no modules were found in " LIMEN_MODULEDIR " or elsewhere: "
		              "set --module-path or LIMEN_MODULE_PATH");
	return catalog;
}

void
catalog_free(module_catalog *catalog)
{
	g_ptr_array_free(catalog->modules, TRUE);
	limen_engine_free(catalog->engine);
	g_free(catalog);
}

bool
catalog_kind(const char *name, limen_kind *out, const char **meant)
{
	limen_nearest best = limen_nearest_to(name);

	for (int kind = LIMEN_KIND_IDENTIFIER; kind <= KIND_COUNT; kind++) {
		const char *known = limen_kind_name((limen_kind)kind);

		if (strcmp(known, name) == 0) {
			*out = (limen_kind)kind;
			return true;
		}
		limen_nearest_offer(&best, known);
	}
	*meant = best.word;
	return false;
}

bool
catalog_read_kind(const command *self, const char *name, limen_kind *out)
{
	const char *meant = NULL;

	if (catalog_kind(name, out, &meant))
		return true;
	if (meant != NULL)
		message_usage(self, "no kind of module is called '%s' (did you mean '%s'?)", name,
		              meant);
	else
		message_usage(self, "no kind of module is called '%s'", name);
	return false;
}
