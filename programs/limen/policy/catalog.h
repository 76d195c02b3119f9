/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog.h - lists the installed modules.
 */
#ifndef LIMEN_PROGRAM_CATALOG_H
#define LIMEN_PROGRAM_CATALOG_H

#include <limen/engine.h>

#include "cli/command.h"

#define KIND_COUNT LIMEN_KIND_STORE

typedef struct module_catalog {
	limen_engine *engine;
	GPtrArray *modules; /* limen_module_info *, by kind and type; 'file' is a copy */
} module_catalog;

/*
 * Loads every module of 'kind' (0: all kinds); a module that fails to load gives a warning on
 * standard error.
 */
module_catalog *catalog_load(const common_options *common, int kind);
void catalog_free(module_catalog *catalog);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(module_catalog, catalog_free)

/*
 * Stores the kind called 'name' and returns true.  If there is none, '*meant' receives the
 * nearest name or NULL.
 */
bool catalog_kind(const char *name, limen_kind *out, const char **meant);

/* As catalog_kind(), but reports an unknown name as a usage error of 'self'. */
bool catalog_read_kind(const command *self, const char *name, limen_kind *out);

#endif
