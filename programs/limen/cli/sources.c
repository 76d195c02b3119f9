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

GPtrArray *
sources_names(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name = dir == NULL ? NULL : g_dir_read_name(dir);

	for (; name != NULL; name = g_dir_read_name(dir))
		if (name[0] != '.')
			g_ptr_array_add(names, g_strdup(name));
	if (dir != NULL)
		g_dir_close(dir);
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* An empty directory stays in the list, so that reading it reports an error. */
static void
add_directory(GPtrArray *paths, const char *directory)
{
	GPtrArray *names = sources_names(directory);
	guint first = paths->len;

	for (guint i = 0; i < names->len; i++) {
		char *path = g_build_filename(directory, names->pdata[i], NULL);

		if (has_ending(path) && !g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(paths, path);
		else
			g_free(path);
	}
	if (paths->len == first)
		g_ptr_array_add(paths, g_strdup(directory));
	g_ptr_array_unref(names);
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
