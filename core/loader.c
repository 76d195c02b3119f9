/* SPDX-License-Identifier: Apache-2.0 */
#include "loader.h"

#include <dlfcn.h>
#include <ltdl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "writable.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static module *loaded; /* guarded by 'lock' */

bool
loader_is_type_name(const char *type)
{
	size_t length = strspn(type, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789-");

	return ((type[0] >= 'a' && type[0] <= 'z') || (type[0] >= 'A' && type[0] <= 'Z')) &&
	       type[length] == '\0' && length <= 64;
}

char *
loader_find(const module_path *path, limen_kind kind, const char *type)
{
	static const char *const endings[] = { ".so", ".la" };

	if (!loader_is_type_name(type))
		return NULL;
	for (size_t i = 0; i < path->count; i++) {
		for (size_t j = 0; j < sizeof(endings) / sizeof(endings[0]); j++) {
			char *file;

			if (asprintf(&file, "%s/%s/%s%s", path->directories[i],
			             limen_kind_name(kind), type, endings[j]) < 0)
				return NULL;
			if (access(file, F_OK) == 0)
				return file;
			free(file);
		}
	}
	return NULL;
}

/*
 * libltdl binds functions when they are first called: a module that needs a
 * function nobody has would load, and end the process at the first request.
 * And lt_dlerror() says "file not found" for a missing dependency and for an
 * unresolved symbol alike.  So the dynamic linker is asked first, as what is
 * loaded lazily stays so.  libtool's ".la" descriptions stand only in build
 * trees, whose modules are linked to be bound at once.  Returns what is wrong.
 */
static const char *
bind_now(const char *file)
{
	size_t length = strlen(file);

	if (length > 3 && strcmp(file + length - 3, ".la") == 0)
		return NULL;
	return dlopen(file, RTLD_NOW | RTLD_LOCAL) == NULL ? dlerror() : NULL;
}

static lt_dlhandle
open_file(const char *file)
{
	lt_dladvise advise;
	lt_dlhandle handle = NULL;

	if (lt_dlinit() != 0)
		return NULL;
	if (lt_dladvise_init(&advise) != 0)
		return NULL;
	if (lt_dladvise_local(&advise) == 0 && lt_dladvise_resident(&advise) == 0)
		handle = lt_dlopenadvise(file, advise);
	lt_dladvise_destroy(&advise);
	return handle;
}

static module *
load_file(const char *file, limen_kind kind, const char *type, limen_diag *diag,
          limen_value where)
{
	/* Taken first, so that a file replaced meanwhile counts as changed. */
	file_identity identity = file_identity_get(file);
	const char *why = bind_now(file);
	lt_dlhandle handle = why == NULL ? open_file(file) : NULL;
	const limen_module_head *raw;
	module *new_module;

	if (handle == NULL) {
		why = why == NULL ? lt_dlerror() : why;
		limen_diag_add(diag, LIMEN_PROBLEM, where, "the module cannot be loaded: %s",
		               why == NULL ? "unknown reason" : why);
		return NULL;
	}
	raw = lt_dlsym(handle, "limen_module");
	if (raw == NULL) {
		limen_diag_add(diag, LIMEN_PROBLEM, where,
		               "%s is no module: it does not export limen_module", file);
		return NULL;
	}
	new_module = calloc(1, sizeof(*new_module));
	if (new_module != NULL)
		new_module->file = strdup(file);
	if (new_module == NULL || new_module->file == NULL) {
		limen_diag_add(diag, LIMEN_PROBLEM, where, "%s", limen_result_text(LIMEN_ENOMEM));
		free(new_module);
		return NULL;
	}
	if (!module_normalise(raw, kind, type, new_module, diag, where)) {
		free(new_module->file);
		free(new_module);
		return NULL;
	}
	new_module->identity = identity;
	return new_module;
}

static module *
find_loaded(const char *file)
{
	for (module *known = loaded; known != NULL; known = known->next) {
		if (strcmp(known->file, file) == 0)
			return known;
	}
	return NULL;
}

/* Other than file_identity_equal(): a new owner or mode makes it no other module. */
static bool
is_replaced(const module *known)
{
	file_identity now = file_identity_get(known->file);

	return now.device != known->identity.device || now.inode != known->identity.inode ||
	       now.size != known->identity.size || now.modified != known->identity.modified;
}

/* Returns 'known' if it is what is asked for, or NULL after reporting what it is. */
static module *
check_loaded(module *known, limen_kind kind, const char *type, limen_diag *diag,
             limen_value where)
{
	const limen_module_head *head = &known->descriptor.head;

	if (head->kind != kind || strcmp(head->name, type) != 0) {
		limen_diag_add(diag, LIMEN_PROBLEM, where, "%s is the module %s/%s", known->file,
		               limen_kind_name((limen_kind)head->kind), head->name);
		return NULL;
	}
	if (is_replaced(known))
		limen_diag_add(diag, LIMEN_WARNING, where,
		               "the file of the module %s/%s changed since it was loaded: restart "
		               "to use it",
		               limen_kind_name(kind), type);
	return known;
}

/* Whoever can change a module runs code in this process: of that nobody is warned, it is refused. */
static bool
is_private(const char *file, limen_diag *diag, limen_value where)
{
	if (!writable_by_all(file))
		return true;
	limen_diag_add(diag, LIMEN_PROBLEM, where,
	               "the module cannot be loaded: everybody may change %s", file);
	limen_diag_hint(diag, "take write permission for others from it and from its directory");
	return false;
}

const module *
loader_load(const char *file, limen_kind kind, const char *type, limen_diag *diag,
            limen_value where)
{
	char *real = realpath(file, NULL);
	module *found = NULL;

	if (real == NULL) {
		limen_diag_add(diag, LIMEN_PROBLEM, where, "the module cannot be loaded: %s: %m",
		               file);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	found = find_loaded(real);
	if (found == NULL && is_private(real, diag, where)) {
		found = load_file(real, kind, type, diag, where);
		if (found != NULL) {
			found->next = loaded;
			loaded = found;
		}
	} else if (found != NULL) {
		found = check_loaded(found, kind, type, diag, where);
	}
	pthread_mutex_unlock(&lock);
	free(real);
	return found;
}
