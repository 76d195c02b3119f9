/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader.c - finds, checks and loads module files, and takes modules that the program has
 * itself.  It owns the list of all modules and the lock that guards it and libltdl.
 */
#include "loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <ltdl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static module *loaded; /* guarded by 'lock' */
static _Thread_local bool is_loading; /* this thread has 'lock' */

static void
begin_loading(void)
{
	pthread_mutex_lock(&lock);
	is_loading = true;
}

static void
end_loading(void)
{
	is_loading = false;
	pthread_mutex_unlock(&lock);
}

/*
 * A fork waits until no other thread loads: its child would find the lock taken, and libltdl and
 * the dynamic linker half way.  A module may fork in its 'init', which has the lock already.
 */
static void
before_fork(void)
{
	if (!is_loading)
		pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
	if (!is_loading)
		pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void
watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

bool
loader_is_type_name(const char *type)
{
	size_t length = strspn(type, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789-");

	return ((type[0] >= 'a' && type[0] <= 'z') || (type[0] >= 'A' && type[0] <= 'Z')) &&
	       type[length] == '\0' && length <= 64;
}

/*
 * libtool's ".la" descriptions are never read: they could name a file of any user in any
 * directory.  In build trees the modules themselves are in ".libs".
 */
const char *const loader_places[LOADER_PLACES] = { "", ".libs/" };

char *
loader_find(const module_path *path, limen_kind kind, const char *type)
{
	if (!loader_is_type_name(type))
		return NULL;
	for (size_t i = 0; i < path->count; i++) {
		for (size_t j = 0; j < LOADER_PLACES; j++) {
			char *file;

			if (asprintf(&file, "%s/%s/%s%s.so", path->directories[i],
			             limen_kind_name(kind), loader_places[j], type) < 0)
				return NULL;
			if (access(file, F_OK) == 0)
				return file;
			free(file);
		}
	}
	return NULL;
}

/*
 * Initialises libltdl.  libltdl counts a failed lt_dlinit() as done: without lt_dlexit() the
 * next call would do nothing, and no module would be found any more.
 */
static bool
is_initialised(void)
{
	static bool done; /* guarded by 'lock' */

	if (!done)
		done = lt_dlinit() == 0;
	if (!done)
		lt_dlexit();
	return done;
}

static lt_dlhandle
open_file(const char *file)
{
	lt_dladvise advise;
	lt_dlhandle handle = NULL;

	if (!is_initialised())
		return NULL;
	if (lt_dladvise_init(&advise) != 0)
		return NULL;
	if (lt_dladvise_local(&advise) == 0 && lt_dladvise_resident(&advise) == 0)
		handle = lt_dlopenadvise(file, advise);
	lt_dladvise_destroy(&advise);
	return handle;
}

/*
 * Loads the file of 'to', and stores the symbol it exports, or NULL if it is not a module.
 *
 * Loads it with RTLD_NOW first.  libltdl binds functions lazily: a module with an undefined
 * function would load, and end the process at the first request.  lt_dlerror() also says "file not
 * found" for missing dependencies and unresolved symbols alike.  A module that was loaded lazily
 * stays so.
 */
static bool
load_file(module *to, limen_diag *diag, limen_value where)
{
	const char *why = dlopen(to->file, RTLD_NOW | RTLD_LOCAL) == NULL ? dlerror() : NULL;
	lt_dlhandle handle = why == NULL ? open_file(to->file) : NULL;

	if (handle == NULL) {
		why = why == NULL ? lt_dlerror() : why;
		return limen_diag_refuse(diag, where, "the module cannot be loaded: %s",
		                         why == NULL ? "unknown reason" : why);
	}
	to->raw = lt_dlsym(handle, "limen_module");
	return true;
}

static void
free_module(module *of)
{
	if (of == NULL)
		return;
	arena_free(&of->memory);
	free(of->file);
	free(of);
}

/*
 * Loads 'file' and adds it to the list of modules, not yet accepted.  The dynamic linker
 * never reads a loaded file again, even if the file changes.
 */
static module *
add_file(const char *file, limen_diag *diag, limen_value where)
{
	module *added = calloc(1, sizeof(*added));

	if (added != NULL)
		added->file = strdup(file);
	if (added == NULL || added->file == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s",
		               limen_result_text(LIMEN_ENOMEM));
		free_module(added);
		return NULL;
	}
	/* Taken first, so that a file replaced meanwhile counts as changed. */
	added->identity = file_identity_get(file);
	if (!load_file(added, diag, where)) {
		free_module(added);
		return NULL;
	}
	added->next = loaded;
	loaded = added;
	return added;
}

static module *
find_loaded(const char *file)
{
	for (module *known = loaded; known != NULL; known = known->next)
		if (known->file != NULL && strcmp(known->file, file) == 0)
			return known;
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

/* Returns 'known', an accepted module, if it has the wanted kind and type; else reports. */
static module *
check_accepted(module *known, limen_kind kind, const char *type, limen_diag *diag,
               limen_value where)
{
	const limen_module_head *head = &known->descriptor.head;

	if (head->kind != kind || strcmp(head->name, type) != 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s is the module %s/%s",
		               known->file, limen_kind_name((limen_kind)head->kind), head->name);
		return NULL;
	}
	if (is_replaced(known))
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
		               "the file of the module %s/%s changed since it was loaded: restart "
		               "to use it", limen_kind_name(kind), type);
	return known;
}

/* Reports a refused module; if its file has changed since, the old reason may be wrong. */
static module *
accept(module *known, limen_kind kind, const char *type, limen_diag *diag, limen_value where)
{
	if (is_replaced(known)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the file of the module %s/%s changed since it was refused: restart "
		               "to use it", limen_kind_name(kind), type);
		return NULL;
	}
	if (known->raw == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "%s is not a module: it does not export limen_module", known->file);
		return NULL;
	}
	known->accepted = module_normalise(known->raw, kind, type, known, diag, where);
	return known->accepted ? known : NULL;
}

/* Stores the directory of the module's kind: the parent of 'file', without libtool's ".libs". */
static void
find_directory(const char *file, char directory[PATH_MAX])
{
	char *last;

	/* A path that is too long has no directory; such a file was not found. */
	if (!writable_parent(file, directory))
		directory[0] = '\0';
	last = strrchr(directory, '/');
	if (last != NULL && strcmp(last, "/.libs") == 0)
		*last = '\0';
}

/*
 * Refuses a module that strangers can change, because it runs code in this process.
 * This is some thirty calls of lstat() for each module that is loaded, once.
 */
static bool
is_private(const char *file, const char *real, limen_diag *diag, limen_value where)
{
	char directory[PATH_MAX];
	trust_fault fault;

	find_directory(file, directory);
	if (trust_file(file, real, directory, true, &fault))
		return true;
	trust_report(&fault, "the module cannot be loaded", diag, where);
	return false;
}

const module *
loader_load(const char *file, limen_kind kind, const char *type, limen_diag *diag,
            limen_value where)
{
	char *real = realpath(file, NULL);
	module *found = NULL;

	if (real == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "the module cannot be loaded: %s: %m", file);
		return NULL;
	}
	begin_loading();
	found = find_loaded(real);
	if (found == NULL && is_private(file, real, diag, where))
		found = add_file(real, diag, where);
	if (found != NULL && found->accepted)
		found = check_accepted(found, kind, type, diag, where);
	else if (found != NULL)
		found = accept(found, kind, type, diag, where);
	end_loading();
	free(real);
	return found;
}

const module *
loader_find_added(const module_path *path, limen_kind kind, const char *type)
{
	for (const added_module *added = path->added; added != NULL; added = added->next) {
		const limen_module_head *head = &added->module->descriptor.head;

		if (head->kind == kind && strcmp(head->name, type) == 0)
			return added->module;
	}
	return NULL;
}

int
loader_get(const module_path *path, limen_kind kind, const char *type, const module **out,
           limen_diag *diag, limen_value where)
{
	const module *found = loader_find_added(path, kind, type);
	char *file = found == NULL ? loader_find(path, kind, type) : NULL;

	if (found == NULL && file == NULL)
		return LIMEN_ENOENT;
	if (found == NULL)
		found = loader_load(file, kind, type, diag, where);
	free(file);
	if (found == NULL)
		return LIMEN_EMODULE;
	*out = found;
	return LIMEN_OK;
}

static module *
find_descriptor(const limen_module_head *raw)
{
	for (module *known = loaded; known != NULL; known = known->next)
		if (known->file == NULL && known->raw == raw)
			return known;
	return NULL;
}

/* Adds 'raw' to the list of modules if it is good. */
static module *
add_descriptor(const limen_module_head *raw, limen_diag *diag)
{
	module *added = calloc(1, sizeof(*added));

	if (added == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if (!module_normalise(raw, 0, NULL, added, diag, limen_value_none())) {
		free_module(added);
		return NULL;
	}
	added->raw = raw;
	added->accepted = true;
	added->next = loaded;
	loaded = added;
	return added;
}

const module *
loader_add(const limen_module_head *raw, limen_diag *diag)
{
	module *found;

	begin_loading();
	found = find_descriptor(raw);
	if (found == NULL)
		found = add_descriptor(raw, diag);
	end_loading();
	return found;
}

int
loader_init(const module *used, limen_diag *diag)
{
	int result = LIMEN_OK;

	if (used->descriptor.head.init == NULL)
		return LIMEN_OK;
	begin_loading();
	if (!used->initialised)
		result = used->descriptor.head.init(diag);
	/* The loader owns all modules; others have them for reading only. */
	((module *)used)->initialised = result == LIMEN_OK;
	end_loading();
	return result;
}
