/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_find.c - finds the test files in directories by their names.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/sources.h"
#include "tests.h"

/* Deepest directory: deeper trees are taken for loops of links. */
#define DEPTH_MAX 16

static const char *const endings[] = { ".test.yaml", ".test.yml", ".test.json",
	                               "_test.yaml", "_test.yml", "_test.json" };

static bool
is_test_file(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i]) && strlen(name) > strlen(endings[i]))
			return true;
	return false;
}

static void
add_directory(GPtrArray *paths, const char *directory, unsigned depth)
{
	GPtrArray *names = sources_names(directory);

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		char *path = strcmp(directory, ".") == 0
		                     ? g_strdup(name)
		                     : g_build_filename(directory, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
			if (depth < DEPTH_MAX && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
				add_directory(paths, path, depth + 1);
		} else if (is_test_file(name)) {
			g_ptr_array_add(paths, g_steal_pointer(&path));
		}
		g_free(path);
	}
	g_ptr_array_unref(names);
}

GPtrArray *
tests_find_files(char **arguments)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	if (arguments == NULL)
		add_directory(paths, ".", 0);
	for (size_t i = 0; arguments != NULL && arguments[i] != NULL; i++) {
		if (g_file_test(arguments[i], G_FILE_TEST_IS_DIR))
			add_directory(paths, arguments[i], 0);
		else
			g_ptr_array_add(paths, g_strdup(arguments[i]));
	}
	return paths;
}
