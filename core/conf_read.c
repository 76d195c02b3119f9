/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_read.c - which files belong to a policy, and reading them.
 */
#include "conf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conf_manifests.h"
#include "diag_private.h"
#include "file.h"

static const char *const endings[] = { ".conf", ".json", ".yaml", ".yml" };

static bool
ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name);
	size_t tail = strlen(ending);

	return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool
is_policy_file(const char *name)
{
	if (name[0] == '.' || name[0] == '#')
		return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (ends_with(name, endings[i]))
			return true;
	}
	return false;
}

static void
note_file(limen_diag *diag, limen_severity severity, const char *path, const char *text)
{
	diag_add_place(diag, severity, path, 0, 0, NULL, text);
}

static bool
remember_file(conf *files, const char *path)
{
	char **list = realloc(files->files, (files->file_count + 1) * sizeof(*list));

	if (list == NULL)
		return false;
	files->files = list;
	list[files->file_count] = strdup(path);
	if (list[files->file_count] == NULL)
		return false;
	files->file_count++;
	return true;
}

static int
read_text(conf *files, const char *name, const char *text, size_t length, document ***documents,
          size_t *count, limen_diag *diag)
{
	int result = text_read(name, text, length,
	                       READ_COMMENTS | READ_NAN | READ_NOTE_DUPLICATES, documents, count,
	                       diag);

	files->hash = files->hash * 31 + file_hash(text, length);
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
		                                  : limen_result_text((limen_result)result));
		note_file(diag, LIMEN_PROBLEM, path, why);
		return result;
	}
	result = read_text(files, path, text, length, documents, count, diag);
	free(text);
	return result;
}

/* Takes over the array and its documents. */
static int
add_documents(conf *files, document **documents, size_t count, limen_diag *diag)
{
	int result = LIMEN_OK;

	for (size_t i = 0; i < count; i++) {
		if (!conf_add_document(files, documents[i], diag))
			result = LIMEN_ENOMEM;
	}
	free(documents);
	return result;
}

static int
add_text(conf *files, const char *name, const char *text, size_t length, limen_diag *diag)
{
	document **documents = NULL;
	size_t count = 0;
	int result = read_text(files, name, text, length, &documents, &count, diag);

	return result == LIMEN_OK ? add_documents(files, documents, count, diag) : result;
}

static int
add_file(conf *files, const char *path, limen_diag *diag)
{
	document **documents = NULL;
	size_t count = 0;
	int result = conf_read_file(files, path, &documents, &count, diag);

	return result == LIMEN_OK ? add_documents(files, documents, count, diag) : result;
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

/* Is 'path' to be read?  Says why if not. */
static bool
is_wanted(const char *path, const char *name, limen_diag *diag)
{
	struct stat status;

	if (!is_policy_file(name)) {
		note_file(diag, LIMEN_NOTE, path,
		          "not read: only names ending in .conf, .json, .yaml or .yml are, and none "
		          "that begin with '.' or '#'");
		return false;
	}
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		note_file(diag, LIMEN_NOTE, path, "not read: it is not a regular file");
		return false;
	}
	return true;
}

/* The worse of two results, so that one unreadable file does not hide behind another. */
static int
worse(int a, int b)
{
	return a == LIMEN_OK ? b : a;
}

static int
add_directory_file(conf *files, const char *directory, const char *name, limen_diag *diag)
{
	char *path;
	int result = LIMEN_OK;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return LIMEN_ENOMEM;
	if (is_wanted(path, name, diag))
		result = add_file(files, path, diag);
	free(path);
	return result;
}

static int
add_directory(conf *files, const char *directory, limen_diag *diag)
{
	struct dirent **list = NULL;
	int count = scandir(directory, &list, keep_all, compare_bytes);
	int result = LIMEN_OK;

	if (count < 0) {
		char why[256];

		snprintf(why, sizeof(why), "Unable to read input: %s", strerror(errno));
		note_file(diag, LIMEN_PROBLEM, directory, why);
		return LIMEN_EIO;
	}
	for (int i = 0; i < count; i++) {
		result = worse(result, add_directory_file(files, directory, list[i]->d_name, diag));
		free(list[i]);
	}
	free(list);
	if (result == LIMEN_OK && files->file_count == 0) {
		note_file(diag, LIMEN_PROBLEM, directory,
		          "no file of this directory belongs to a policy");
		return LIMEN_ECONFIG;
	}
	return result;
}

/* Checks what was read; what is wrong with the sections is a wrong policy too. */
static int
conclude(conf *files, int result, size_t before, limen_diag *diag)
{
	result = worse(result, manifests_finish(files, diag));
	conf_check(files, diag);
	if (result == LIMEN_OK && limen_diag_count(diag, LIMEN_PROBLEM) > before)
		return LIMEN_ECONFIG;
	return result;
}

conf *
conf_read_paths(const char *const *paths, int *result, limen_diag *diag)
{
	conf *files = calloc(1, sizeof(*files));
	size_t before = limen_diag_count(diag, LIMEN_PROBLEM);

	*result = LIMEN_ENOMEM;
	if (files == NULL)
		return NULL;
	*result = LIMEN_OK;
	for (size_t i = 0; paths[i] != NULL; i++) {
		struct stat status;

		if (stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode))
			*result = worse(*result, add_directory(files, paths[i], diag));
		else
			*result = worse(*result, add_file(files, paths[i], diag));
	}
	*result = conclude(files, *result, before, diag);
	return files;
}

conf *
conf_read(const char *path, int *result, limen_diag *diag)
{
	const char *const paths[] = { path, NULL };

	return conf_read_paths(paths, result, diag);
}

conf *
conf_read_text(const char *name, const char *text, size_t length, int *result, limen_diag *diag)
{
	conf *files = calloc(1, sizeof(*files));
	size_t before = limen_diag_count(diag, LIMEN_PROBLEM);

	*result = LIMEN_ENOMEM;
	if (files == NULL)
		return NULL;
	*result = add_text(files, name, text, length, diag);
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
		free(files->files[i]);
	free(files->documents);
	free(files->files);
	free(files);
}
