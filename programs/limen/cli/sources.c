/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.c - replaces each directory argument by the files below it.  Hidden files are left out.
 */
#include "sources.h"

#include <string.h>

/* Deepest directory: deeper trees are taken for loops of links. */
#define DEPTH_MAX 16

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

static GPtrArray *
sources_names(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		if (name[0] != '.')
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* Adds the files below 'directory' whose names are wanted. */
static void
add_directory(GPtrArray *paths, const char *directory, unsigned depth,
              bool (*is_wanted)(const char *name))
{
	g_autoptr(GPtrArray) names = sources_names(directory);

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *path = strcmp(directory, ".") == 0
		                                ? g_strdup(name)
		                                : g_build_filename(directory, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
			if (depth < DEPTH_MAX && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
				add_directory(paths, path, depth + 1, is_wanted);
		} else if (is_wanted(name)) {
			g_ptr_array_add(paths, g_steal_pointer(&path));
		}
	}
}

GPtrArray *
sources_find(char *const *arguments, bool (*is_wanted)(const char *name))
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (; *arguments != NULL; arguments++) {
		if (g_file_test(*arguments, G_FILE_TEST_IS_DIR))
			add_directory(paths, *arguments, 0, is_wanted);
		else
			g_ptr_array_add(paths, g_strdup(*arguments));
	}
	return paths;
}

GPtrArray *
sources_expand(char *const *arguments)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (; *arguments != NULL; arguments++) {
		GPtrArray *found = sources_find((char *const[]){ *arguments, NULL }, has_ending);

		/* Reading an empty directory reports an error. */
		if (found->len == 0)
			g_ptr_array_add(found, g_strdup(*arguments));
		g_ptr_array_extend_and_steal(paths, found);
	}
	return paths;
}

bool
sources_is_path(const char *argument)
{
	return strcmp(argument, "-") == 0 || strchr(argument, '/') != NULL ||
	       has_ending(argument) || g_str_has_suffix(argument, ".conf");
}
