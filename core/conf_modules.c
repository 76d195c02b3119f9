/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_modules.c - whose policy may say where modules are.  That is to say what code
 * limen runs, so more is asked of it than of a policy that only decides.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "writable.h"

static bool
is_trusted(const char *path, limen_value where, limen_diag *diag)
{
	if (writable_by_all(path)) {
		limen_diag_add(diag, LIMEN_PROBLEM, where,
		               "'modules' is not taken from here: everybody may change %s", path);
		limen_diag_hint(diag, "take write permission for others from it and from its "
		                      "directory");
		return false;
	}
	if (writable_foreign(path, false)) {
		limen_diag_add(diag, LIMEN_PROBLEM, where,
		               "'modules' is not taken from here: %s is another user's, in a "
		               "directory where everybody may put files", path);
		limen_diag_hint(diag, "put the policy into a directory of your own");
		return false;
	}
	return true;
}

/* Of a link both ends count, and of a directory what it is in, as for modules. */
static bool
is_file_trusted(const char *file, limen_value where, limen_diag *diag)
{
	char directory[PATH_MAX];
	char *real = realpath(file, NULL);
	bool trusted;

	if (real == NULL || !writable_parent(file, directory)) {
		free(real);
		limen_diag_add(diag, LIMEN_PROBLEM, where,
		               "'modules' is not taken from here: %s: %m", file);
		return false;
	}
	trusted = is_trusted(real, where, diag) && is_trusted(file, where, diag) &&
	          is_trusted(directory, where, diag);
	free(real);
	return trusted;
}

void
conf_check_modules(conf *files, limen_diag *diag)
{
	conf_list *list = &files->sections[SECTION_MODULES];
	const char *last = NULL;
	bool trusted = false;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		const char *file = value_place(list->items[i].value).file;

		/* Those of one file stand together, and it is looked at once. */
		if (file != last)
			trusted = is_file_trusted(file, list->items[i].value, diag);
		last = file;
		if (trusted)
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

bool
conf_refuse_modules(conf *files, limen_diag *diag)
{
	conf_list *list = &files->sections[SECTION_MODULES];

	if (list->count == 0)
		return false;
	limen_diag_add(diag, LIMEN_PROBLEM, list->items[0].value,
	               "'modules' is taken only from files of this host's own policy");
	limen_diag_hint(diag, "name the directory in LIMEN_MODULE_PATH or with --module-path");
	list->count = 0;
	return true;
}
