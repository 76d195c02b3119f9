/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_find.c - finds the test files in directories by their names.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/sources.h"
#include "tests.h"

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

GPtrArray *
tests_find_files(char **arguments)
{
	char *here[] = { ".", NULL };

	return sources_find(arguments == NULL ? here : arguments, is_test_file);
}
