/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.h - from a kind and a type to a module, through the directories an
 * engine searches.
 *
 * loader.c is the only file that includes <ltdl.h>.  libltdl keeps state of its
 * own for the whole process and is not thread-safe, so all calls take one lock.
 * Modules stay loaded until the process ends: a thread may be inside one, and
 * what they register with other libraries cannot be taken back.
 */
#ifndef LIMEN_CORE_MODULE_LOADER_H
#define LIMEN_CORE_MODULE_LOADER_H

#include "descriptor.h"

/*
 * The directories, most important first; each holds KIND/TYPE.so files, or
 * KIND/.libs/TYPE.so where libtool linked them.
 */
typedef struct module_path {
	const char *const *directories;
	size_t count;
} module_path;

/* Path suffixes of modules in the directory of their kind, in search order. */
#define LOADER_PLACES 2
extern const char *const loader_places[LOADER_PLACES];

/* Is 'type' a name from which a path may be built: [A-Za-z][A-Za-z0-9-]*? */
bool loader_is_type_name(const char *type);

/* Returns the malloc()ed path of the file of a module, or NULL if there is none. */
char *loader_find(const module_path *path, limen_kind kind, const char *type);

/*
 * Returns the module in 'file' (from loader_find()), loading it if this is the
 * first time in this process, or NULL after reporting why not.  A file that
 * changed since then is a warning: the module in use is the old one.  One that
 * changed since it was refused is a problem for the same reason.
 */
const module *loader_load(const char *file, limen_kind kind, const char *type, limen_diag *diag,
                          limen_value where);

/*
 * Calls 'each' with every type of 'kind' for which a file is found, sorted,
 * each once.  Returns false when memory is short.
 */
bool loader_each_type(const module_path *path, limen_kind kind,
                      void (*each)(void *data, const char *type), void *data);

#endif
