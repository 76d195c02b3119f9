/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_modules.c - checks which files may name directories of modules.  A module is code
 * that limen runs, so the check is stricter than for a policy that only decides.
 */
#include <stdlib.h>

#include "conf_files.h"
#include "file/file.h"

#define REFUSED "'modules' is not allowed here"

/* Checks a link and its target, and the directory of each, as for modules. */
static bool
is_file_trusted(const char *file, limen_value where, limen_diag *diag)
{
	char directory[PATH_MAX];
	trust_fault fault;
	char *real = realpath(file, NULL);
	bool trusted;

	if (real == NULL || !writable_parent(file, directory)) {
		free(real);
		return limen_diag_refuse(diag, where, REFUSED ": %s: %m", file);
	}
	trusted = trust_file(file, real, directory, false, &fault);
	free(real);
	if (!trusted)
		trust_report(&fault, REFUSED, diag, where);
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

		/* Directories of one file follow each other, so each file is checked once. */
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
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, list->items[0].value,
	               "'modules' is taken only from files of this host's own policy");
	limen_diag_hint(diag, MODULE_PATH_HINT);
	list->count = 0;
	return true;
}
