/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loader_scan.c - lists the added and the installed types, for lists and hints, never
 * for a request.
 */
#include "loader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct type_list {
	char **names;
	size_t count;
	bool failed;
} type_list;

/* Adds the first 'length' bytes of 'text', if they are a name. */
static void
add_type(type_list *list, const char *text, size_t length)
{
	char *name = strndup(text, length);
	char **names = realloc(list->names, (list->count + 1) * sizeof(*names));

	if (names != NULL)
		list->names = names;
	if (name == NULL || names == NULL) {
		free(name);
		list->failed = true;
	} else if (loader_is_type_name(name)) {
		list->names[list->count] = name;
		list->count++;
	} else {
		free(name);
	}
}

static void
scan_directory(type_list *list, const char *directory, limen_kind kind, const char *place)
{
	char *path;
	DIR *stream;
	struct dirent *file;

	if (asprintf(&path, "%s/%s/%s", directory, limen_kind_name(kind), place) < 0) {
		list->failed = true;
		return;
	}
	stream = opendir(path);
	free(path);
	if (stream == NULL)
		return;
	for (file = readdir(stream); file != NULL; file = readdir(stream)) {
		size_t length = strlen(file->d_name);

		if (length > 3 && strcmp(file->d_name + length - 3, ".so") == 0)
			add_type(list, file->d_name, length - 3);
	}
	closedir(stream);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool
loader_each_type(const module_path *path, limen_kind kind,
                 void (*each)(void *data, const char *type), void *data)
{
	type_list list = { NULL, 0, false };

	for (const added_module *added = path->added; added != NULL; added = added->next) {
		const limen_module_head *head = &added->module->descriptor.head;

		if (head->kind == kind)
			add_type(&list, head->name, strlen(head->name));
	}
	for (size_t i = 0; i < path->count; i++)
		for (size_t j = 0; j < LOADER_PLACES; j++)
			scan_directory(&list, path->directories[i], kind, loader_places[j]);
	if (list.count > 0)
		qsort(list.names, list.count, sizeof(*list.names), compare_names);
	for (size_t i = 0; i < list.count; i++)
		if (!list.failed && (i == 0 || strcmp(list.names[i], list.names[i - 1]) != 0))
			each(data, list.names[i]);
	for (size_t i = 0; i < list.count; i++)
		free(list.names[i]);
	free(list.names);
	return !list.failed;
}
