/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_read.c - reads the files of a policy.
 */
#include "conf_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "conf_manifests.h"
#include "document/document.h"
#include "file/file.h"
#include "reader/reader.h"

static void
note_file(limen_diag *diag, limen_severity severity, const char *path, const char *text)
{
	diag_add_place(diag, severity, path, 0, 0, NULL, text);
}

/* A warning: pScheduler reads such files, and a host that has one must go on measuring. */
static void
warn_of_writers(limen_diag *diag, const char *path, const char *text)
{
	if (!writable_by_all(path))
		return;
	note_file(diag, LIMEN_SEVERITY_WARNING, path, text);
	limen_diag_hint(diag, "remove write permission for others from it and from its directory");
}

static bool
remember_file(conf *files, const char *path)
{
	conf_file *list = reallocarray(files->files, files->file_count + 1, sizeof(*list));
	char *name = list == NULL ? NULL : strdup(path);

	if (list == NULL)
		return false;
	files->files = list;
	if (name != NULL)
		list[files->file_count++] = (conf_file){ .name = name };
	return name != NULL;
}

/*
 * An empty file is refused: it most likely lost its content by accident, and would admit
 * the requests it should refuse.
 */
static const char no_document[] =
	"This file has no document; write \"enabled: false\" to turn it off, "
	"or give it a name that does not end in .yaml, .yml, .json or .conf";

static int
read_text(const char *name, const char *text, size_t length, document ***documents, size_t *count,
          limen_diag *diag)
{
	int result = text_read(name, text, length,
	                       READ_COMMENTS | READ_NAN | READ_NOTE_DUPLICATES, documents, count,
	                       diag);

	if (result == LIMEN_OK && *count == 0) {
		note_file(diag, LIMEN_SEVERITY_PROBLEM, name, no_document);
		free(*documents);
		return LIMEN_ECONFIG;
	}
	return result == LIMEN_OK || result == LIMEN_ENOMEM ? result : LIMEN_ECONFIG;
}

int
conf_read_file(conf *files, const char *path, document ***documents, size_t *count,
               limen_diag *diag)
{
	char *text;
	size_t length;
	int result;

	if (!remember_file(files, path))
		return LIMEN_ENOMEM;
	errno = 0;
	result = file_read(path, &text, &length);
	if (result != LIMEN_OK) {
		char why[256];

		snprintf(why, sizeof(why), "Unable to read input: %s",
		         result == LIMEN_EIO      ? strerror(errno)
		         : result == LIMEN_ERANGE ? "larger than 64 MiB"
		                                  : limen_result_text(result));
		note_file(diag, LIMEN_SEVERITY_PROBLEM, path, why);
		return result;
	}
	warn_of_writers(diag, path, "every user may change this file");
	files->files[files->file_count - 1].hash = file_hash(text, length);
	result = read_text(path, text, length, documents, count, diag);
	free(text);
	return result;
}

/* Takes over the array and its documents. */
static int
add_documents(conf *files, document **documents, size_t count, limen_diag *diag)
{
	int result = LIMEN_OK;

	for (size_t i = 0; i < count; i++)
		if (!conf_add_document(files, documents[i], diag))
			result = LIMEN_ENOMEM;
	free(documents);
	return result;
}

/* Counts the entries of all sections and the manifests. */
static size_t
count_entries(const conf *files)
{
	size_t count = 0;

	for (size_t i = 0; i < SECTION_COUNT; i++)
		count += files->sections[i].count;
	for (size_t i = 0; i < MANIFESTS_COUNT; i++)
		count += files->manifests[i].count;
	return count;
}

static int
add_file(conf *files, const char *path, limen_diag *diag)
{
	document **documents = NULL;
	size_t count = 0;
	size_t before = count_entries(files);
	size_t index = files->file_count;
	int result = conf_read_file(files, path, &documents, &count, diag);

	if (result != LIMEN_OK)
		return result;
	result = add_documents(files, documents, count, diag);
	files->files[index].entries = count_entries(files) - before;
	return result;
}

void
conf_warn_emptied(const conf *files, const conf *old, limen_diag *diag)
{
	const name_column names = {
		.first = old->files == NULL ? NULL : (const char *const *)&old->files->name,
		.stride = sizeof(*old->files),
		.count = old->file_count,
	};
	name_index index = { .covered = 0 };

	name_index_update(&index, &names);
	for (size_t i = 0; i < files->file_count; i++) {
		size_t before = files->files[i].entries > 0
		                        ? SIZE_MAX
		                        : name_index_find(&index, &names, files->files[i].name);

		if (before != SIZE_MAX && old->files[before].entries > 0)
			note_file(diag, LIMEN_SEVERITY_WARNING, files->files[i].name,
			          "this file had entries before and has none now");
	}
	name_index_free(&index);
}

bool
conf_equal(const conf *a, const conf *b)
{
	bool equal = a->file_count == b->file_count;

	for (size_t i = 0; equal && i < a->file_count; i++)
		equal = a->files[i].hash != 0 && a->files[i].hash == b->files[i].hash &&
		        strcmp(a->files[i].name, b->files[i].name) == 0;
	return equal;
}

/* The worse of two results, so that one unreadable file does not hide behind another. */
static int
worse(int a, int b)
{
	return a == LIMEN_OK ? b : a;
}

static int
add_directory(conf *files, const char *directory, limen_diag *diag)
{
	folder list;
	int result = folder_list(directory, &list, diag);

	if (result == LIMEN_EIO) {
		char why[256];

		snprintf(why, sizeof(why), "Unable to read input: %s", strerror(errno));
		note_file(diag, LIMEN_SEVERITY_PROBLEM, directory, why);
	}
	if (result != LIMEN_OK)
		return result;
	warn_of_writers(diag, directory, "every user may add files to this directory");
	for (size_t i = 0; i < list.count; i++)
		result = worse(result, add_file(files, list.paths[i], diag));
	folder_free(&list);
	if (result == LIMEN_OK && files->file_count == 0) {
		note_file(diag, LIMEN_SEVERITY_PROBLEM, directory,
		          "no file in this directory can be part of a policy");
		return LIMEN_ECONFIG;
	}
	return result;
}

/* Checks manifests and sections; their problems make the policy invalid, too. */
static int
conclude(conf *files, int result, size_t before, limen_diag *diag)
{
	result = worse(result, manifests_finish(files, diag));
	conf_check(files, diag);
	if (result == LIMEN_OK && limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > before)
		return LIMEN_ECONFIG;
	return result;
}

conf *
conf_read_paths(const char *const *paths, int *result, limen_diag *diag)
{
	conf *files = calloc(1, sizeof(*files));
	size_t before = limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM);

	*result = LIMEN_ENOMEM;
	if (files == NULL)
		return NULL;
	*result = paths[0] == NULL ? LIMEN_ECONFIG : LIMEN_OK;
	/* An empty policy would refuse everything: naming no file is taken for a mistake. */
	if (paths[0] == NULL)
		note_file(diag, LIMEN_SEVERITY_PROBLEM, NULL, "no file or directory was named");
	for (size_t i = 0; paths[i] != NULL; i++) {
		*result = folder_is(paths[i]) ? worse(*result, add_directory(files, paths[i], diag))
		                              : worse(*result, add_file(files, paths[i], diag));
	}
	conf_check_modules(files, diag);
	*result = conclude(files, *result, before, diag);
	return files;
}

conf *
conf_read_text(const char *name, const char *text, size_t length, int *result, limen_diag *diag)
{
	conf *files = calloc(1, sizeof(*files));
	size_t before = limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM);
	document **documents = NULL;
	size_t count = 0;

	*result = LIMEN_ENOMEM;
	if (files == NULL)
		return NULL;
	*result = read_text(name, text, length, &documents, &count, diag);
	if (*result == LIMEN_OK)
		*result = add_documents(files, documents, count, diag);
	*result = conclude(files, *result, before, diag);
	return files;
}

void
conf_free(conf *files)
{
	if (files == NULL)
		return;
	for (size_t i = 0; i < SECTION_COUNT; i++)
		free(files->sections[i].items);
	for (size_t i = 0; i < MANIFESTS_COUNT; i++)
		free(files->manifests[i].items);
	free(files->named.items);
	for (size_t i = 0; i < files->document_count; i++)
		document_unref(files->documents[i]);
	for (size_t i = 0; i < files->file_count; i++)
		free(files->files[i].name);
	free(files->documents);
	free(files->files);
	free(files);
}
