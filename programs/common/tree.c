/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.c - sets the variables that name the files of the build tree.  It is compiled twice: for
 * ./limen and ./limend with the paths of their tree, for the installed programs without them.
 */
#include "tree.h"

#ifdef LIMEN_TREE_MODULES

#include <glib.h>

/* Modules of the tree are searched after those that the environment names. */
static void
add_modules(void)
{
	const char *inherited = g_getenv("LIMEN_MODULE_PATH");
	char *path = inherited == NULL || inherited[0] == '\0'
	                     ? g_strdup(LIMEN_TREE_MODULES)
	                     : g_strconcat(inherited, ":", LIMEN_TREE_MODULES, NULL);

	g_setenv("LIMEN_MODULE_PATH", path, TRUE);
	g_free(path);
}

static void
set_default(const char *name, const char *value)
{
	const char *inherited = g_getenv(name);

	if (inherited == NULL || inherited[0] == '\0')
		g_setenv(name, value, TRUE);
}

void
tree_prepare(void)
{
	add_modules();
	set_default("LIMEN_JQ_PATH", LIMEN_TREE_JQ);
	set_default("LIMEN_JQ_SANDBOX", LIMEN_TREE_JQ_SANDBOX);
}

#else

void
tree_prepare(void)
{
}

#endif
