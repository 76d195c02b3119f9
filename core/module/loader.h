/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.h - finds the module of a kind and a type among those that the program added,
 * or loads it from the directories that an engine searches.
 *
 * loader.c is the only file that includes <ltdl.h>.  libltdl keeps state for the whole
 * process and is not thread-safe, so all calls take one lock.  Modules stay loaded
 * until the process ends: a thread may be inside one, and their registrations with
 * other libraries cannot be undone.
 */
#ifndef LIMEN_CORE_MODULE_LOADER_H
#define LIMEN_CORE_MODULE_LOADER_H

#include "descriptor.h"

/* A module that the program added to an engine. */
typedef struct added_module {
	const module *module;
	const struct added_module *next;
} added_module;

/*
 * The directories, most important first; each holds KIND/TYPE.so files, or
 * KIND/.libs/TYPE.so where libtool linked them.  Added modules come before all files.
 */
typedef struct module_path {
	const char *const *directories;
	size_t count;
	const added_module *added;
} module_path;

/* Path suffixes of modules in the directory of their kind, in search order. */
#define LOADER_PLACES 2
extern const char *const loader_places[LOADER_PLACES];

/* Is 'type' a name from which a path may be built: [A-Za-z][A-Za-z0-9-]*? */
bool loader_is_type_name(const char *type);

/*
 * Stores the module of 'kind' and 'type'.  Returns LIMEN_OK, LIMEN_ENOENT without a
 * report if there is none, or LIMEN_EMODULE after a report.
 */
int loader_get(const module_path *path, limen_kind kind, const char *type, const module **out,
               limen_diag *diag, limen_value where);

/* Returns the added module of 'kind' and 'type', or NULL. */
const module *loader_find_added(const module_path *path, limen_kind kind, const char *type);

/*
 * Returns the module that 'raw' describes, the same for the same descriptor, or NULL
 * after a report.
 */
const module *loader_add(const limen_module_head *raw, limen_diag *diag);

/*
 * Calls the 'init' of 'used', unless it has succeeded before.  Returns what that
 * returned; problems are in 'diag'.
 */
int loader_init(const module *used, limen_diag *diag);

/* Returns the malloc()ed path of the file of a module, or NULL if there is none. */
char *loader_find(const module_path *path, limen_kind kind, const char *type);

/*
 * Returns the module in 'file' (from loader_find()), loading it on the first call in
 * this process, or NULL after a report.  If the file has changed since it was loaded,
 * adds a warning: the old module stays in use.  If it has changed since it was refused,
 * that is a problem, because it cannot be loaded again.
 */
const module *loader_load(const char *file, limen_kind kind, const char *type, limen_diag *diag,
                          limen_value where);

/*
 * Calls 'each' with every type of 'kind' that was added or for which a file is found,
 * sorted, each once.  Returns false when memory is short.
 */
bool loader_each_type(const module_path *path, limen_kind kind,
                      void (*each)(void *data, const char *type), void *data);

#endif
