/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h - where limen looks for the file of a module: KIND/TYPE.so below a module directory.
 */
#ifndef LIMEN_PROGRAM_PLACE_H
#define LIMEN_PROGRAM_PLACE_H

#include <limen/types.h>
#include <stdbool.h>

#include "cli/command.h"

/* Longest type name that the core accepts. */
#define PLACE_TYPE_MAX 64

typedef struct module_place {
	uint32_t kind; /* limen_kind; 0: none */
	char type[PLACE_TYPE_MAX + 1];
} module_place;

/* Sets kind and type; returns false if 'type' is no type name. */
bool place_set(module_place *out, uint32_t kind, const char *type);

/* Takes kind and type from the path of a file, DIRECTORY/KIND/TYPE.so; false if it is no such. */
bool place_read(const char *path, module_place *out);

/* Returns the path of the module in 'directory', to g_free(). */
char *place_below(const module_place *self, const char *directory);

/*
 * Returns the file that limen loads for this kind and type with the module directories of
 * --module-path, LIMEN_MODULE_PATH and the installation, to g_free(); NULL if there is none.
 */
char *place_find(const module_place *self, const common_options *common);

#endif
