/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.c - replaces each directory argument by its JSON and YAML files.  Hidden files are left
 * out; a directory without such files stays in the list, so that reading it reports an error.
 */
#include "sources.h"

#include <string.h>

static bool
has_ending(const char *name)
{
	return g_str_has_suffix(name, ".json") || g_str_has_suffix(name, ".yaml") ||
	       g_str_has_suffix(name, ".yml");
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* An empty directory stays in the list, so that somebody says that it is one. */
static void
add_directory(GPtrArray *paths, const char *directory)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	guint first = paths->len;
	const char *name = dir == NULL ? NULL : g_dir_read_name(dir);

	while (name != NULL) {
		char *path = g_build_filename(directory, name, NULL);

		if (name[0] != '.' && has_ending(name) && !g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(paths, path);
		else
			g_free(path);
		name = g_dir_read_name(dir);
	}
	if (dir != NULL)
		g_dir_close(dir);
	if (paths->len == first)
		g_ptr_array_add(paths, g_strdup(directory));
	else
		qsort(&paths->pdata[first], paths->len - first, sizeof(gpointer), compare_names);
}

GPtrArray *
sources_expand(char **arguments)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; arguments[i] != NULL; i++) {
		if (g_file_test(arguments[i], G_FILE_TEST_IS_DIR))
			add_directory(paths, arguments[i]);
		else
			g_ptr_array_add(paths, g_strdup(arguments[i]));
	}
	return paths;
}

bool
sources_is_path(const char *argument)
{
	return strcmp(argument, "-") == 0 || strchr(argument, '/') != NULL ||
	       has_ending(argument) || g_str_has_suffix(argument, ".conf");
}
