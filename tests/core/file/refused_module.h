/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refused_module.h - why a module is not loaded.  The files that tests offer are no modules, so
 * that each is refused for one reason or another.
 */
#ifndef LIMEN_TESTS_CORE_REFUSED_MODULE_H
#define LIMEN_TESTS_CORE_REFUSED_MODULE_H

#include <string.h>

#include "module/loader.h"
#include "scratch.h"

/* A directory of modules, in which a limit is a link to a file of another directory. */
static inline void
refused_module_tree(const scratch *dir)
{
	scratch_run(dir, "mkdir -p modules/limit elsewhere && "
	                 "echo no module > elsewhere/cap.so && "
	                 "ln -s ../../elsewhere/cap.so modules/limit/link.so && "
	                 "chmod -R g+w,o-w modules elsewhere");
}

/* Is there one problem, which has 'why' in it? */
static inline bool
refused_module_for(const char *file, const char *why)
{
	limen_diag *diag = limen_diag_new();
	bool refused;

	CU_ASSERT_PTR_NULL(loader_load(file, LIMEN_KIND_LIMIT, "cap", diag, limen_value_none()));
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	refused = strstr(limen_diag_get(diag, 0)->text, why) != NULL;
	limen_diag_free(diag);
	return refused;
}

/* As that, of a file named as seen from 'dir'. */
static inline bool
refused_module_in(const scratch *dir, const char *name, const char *why)
{
	char *file = scratch_path(dir, name);
	bool refused = refused_module_for(file, why);

	free(file);
	return refused;
}

#endif
