/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder.c - lists the policy files of a directory in byte order of their names.  Each other entry
 * gets a note, except a directory named "tests".
 */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/document.h"
#include "file_read.h"

static const char *const endings[] = { ".conf", ".json", ".yaml", ".yml" };

static bool
ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name);
	size_t tail = strlen(ending);

	return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool
is_named_well(const char *name)
{
	if (name[0] == '.' || name[0] == '#')
		return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (ends_with(name, endings[i]))
			return true;
	return false;
}

static bool
is_wanted(const char *path, const char *name, limen_diag *diag)
{
	struct stat status;

	/* The folder "tests" belongs to "limen test" and gets no note. */
	if (strcmp(name, "tests") == 0 && folder_is(path))
		return false;
	if (!is_named_well(name)) {
		diag_add_place(diag, LIMEN_SEVERITY_NOTE, path, 0, 0, NULL,
		               "not read: only names ending in .conf, .json, .yaml or .yml are, "
		               "and none that begin with '.' or '#'");
		return false;
	}
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		diag_add_place(diag, LIMEN_SEVERITY_NOTE, path, 0, 0, NULL,
		               "not read: it is not a regular file");
		return false;
	}
	return true;
}

static int
keep_all(const struct dirent *file)
{
	return strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0;
}

static int
compare_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
add_path(folder *to, const char *directory, const char *name, limen_diag *diag)
{
	const char *slash = ends_with(directory, "/") ? "" : "/";
	char *path;

	if (asprintf(&path, "%s%s%s", directory, slash, name) < 0)
		return LIMEN_ENOMEM;
	if (is_wanted(path, name, diag))
		to->paths[to->count++] = path;
	else
		free(path);
	return LIMEN_OK;
}

static int
add_names(folder *to, const char *directory, struct dirent **names, size_t count, limen_diag *diag)
{
	int result = LIMEN_OK;

	to->paths = calloc(count + 1, sizeof(*to->paths));
	if (to->paths == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = 0; result == LIMEN_OK && i < count; i++)
		result = add_path(to, directory, names[i]->d_name, diag);
	return result;
}

int
folder_list(const char *directory, folder *out, limen_diag *diag)
{
	struct dirent **names = NULL;
	int count = scandir(directory, &names, keep_all, compare_bytes);
	int result;

	*out = (folder){ .count = 0 };
	if (count < 0)
		return errno == ENOMEM ? LIMEN_ENOMEM : LIMEN_EIO;
	result = add_names(out, directory, names, (size_t)count, diag);
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
	if (result != LIMEN_OK)
		folder_free(out);
	return result;
}

void
folder_free(folder *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (folder){ .count = 0 };
}

uint64_t
folder_hash(const folder *list)
{
	uint64_t words[2] = { list->count, 0 };

	for (size_t i = 0; i < list->count; i++) {
		words[1] = file_hash(list->paths[i], strlen(list->paths[i]));
		words[0] = file_hash(words, sizeof(words));
	}
	return words[0];
}

bool
folder_is(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
