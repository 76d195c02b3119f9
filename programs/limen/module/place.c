/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.c - makes paths of modules, takes them apart, and searches the module directories as the
 * core does.
 */
#include "place.h"

#include <string.h>

#include "common/help.h"
#include "policy/catalog.h"

/* Accepts the type names of the core, which finds no module with another name. */
static bool
is_type(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789-");

	return g_ascii_isalpha(text[0]) && text[length] == '\0' && length <= PLACE_TYPE_MAX;
}

bool
place_set(module_place *out, uint32_t kind, const char *type)
{
	if (!is_type(type))
		return false;
	out->kind = kind;
	g_strlcpy(out->type, type, sizeof(out->type));
	return true;
}

bool
place_read(const char *path, module_place *out)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	guint count = g_strv_length(parts);
	const char *meant;
	limen_kind kind;

	/* libtool links modules in .libs. */
	if (count > 2 && strcmp(parts[count - 2], ".libs") == 0)
		count--;
	if (count < 2 || !catalog_kind(parts[count - 2], &kind, &meant))
		return false;
	path = parts[g_strv_length(parts) - 1];
	if (!g_str_has_suffix(path, ".so"))
		return false;
	parts[g_strv_length(parts) - 1][strlen(path) - 3] = '\0';
	return place_set(out, kind, path);
}

char *
place_below(const module_place *self, const char *directory)
{
	const char *kind = limen_kind_name((limen_kind)self->kind);

	return g_strdup_printf("%s/%s/%s.so", directory, kind == NULL ? "" : kind, self->type);
}

char *
place_find(const module_place *self, const common_options *common)
{
	g_autofree char *path = help_module_path(common->module_path);
	g_autofree char *all = path == NULL ? g_strdup(LIMEN_MODULEDIR)
	                                    : g_strjoin(":", path, LIMEN_MODULEDIR, NULL);
	g_auto(GStrv) directories = g_strsplit(all, ":", -1);

	for (char **directory = directories; *directory != NULL; directory++) {
		g_autofree char *file = place_below(self, *directory);
		g_autofree char *parent = g_path_get_dirname(file);
		g_autofree char *built = g_strdup_printf("%s/.libs/%s.so", parent, self->type);

		if (g_file_test(file, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&file);
		if (g_file_test(built, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&built);
	}
	return NULL;
}
