/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_documents.c - documents that a module reads from files and directories
 * while it is opened, by the rules for the files of a policy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/reader.h"
#include "file/file.h"
#include "open_context.h"
#include "base/recycle.h"

/* One call of limen_opening_documents(). */
typedef struct reading {
	instance *instance;
	limen_documents *made;
	limen_value where;
	limen_diag *diag;
} reading;

static int
report(const reading *at, const char *path, int result)
{
	if (result == LIMEN_ENOMEM)
		return opening_no_memory(at->diag);
	limen_diag_add(at->diag, LIMEN_SEVERITY_PROBLEM, at->where, "%s: %s", path,
	               result == LIMEN_EIO      ? strerror(errno)
	               : result == LIMEN_ERANGE ? "larger than 64 MiB"
	                                        : "there is nothing in it");
	return result;
}

static int
parse(const reading *at, const char *path, const char *text, size_t length)
{
	document **items = NULL;
	size_t count = 0;
	int result = text_read(path, text, length,
	                       READ_COMMENTS | READ_NAN | READ_NOTE_DUPLICATES, &items, &count,
	                       at->diag);

	if (result != LIMEN_OK)
		return result == LIMEN_ENOMEM ? opening_no_memory(at->diag) : result;
	return documents_append(at->made, items, count) ? LIMEN_OK : opening_no_memory(at->diag);
}

static int
read_one(const reading *at, const char *path)
{
	char *text = NULL;
	size_t length = 0;
	int result;

	errno = 0;
	result = file_read(path, &text, &length);
	if (result != LIMEN_OK)
		result = report(at, path, result);
	if (!opening_remember(at->instance, path, text, length))
		result = opening_no_memory(at->diag);
	if (result == LIMEN_OK)
		result = parse(at, path, text, length);
	free(text);
	return result;
}

/* Returns the first failure, but reads every file, so that all problems are reported. */
static int
read_folder(const reading *at, const char *path)
{
	folder list;
	int result = folder_list(path, &list, at->diag);

	if (result != LIMEN_OK)
		return report(at, path, result);
	if (!opening_remember_folder(at->instance, path, &list))
		result = opening_no_memory(at->diag);
	for (size_t i = 0; i < list.count; i++) {
		const char *file = arena_strdup(&at->instance->owned.arena, list.paths[i]);
		int one = file == NULL ? opening_no_memory(at->diag) : read_one(at, file);

		result = result == LIMEN_OK ? one : result;
	}
	folder_free(&list);
	return result;
}

static void
free_documents(void *memory)
{
	limen_documents_free(memory);
}

int
limen_opening_documents(limen_opening *opening, const char *path, limen_value where,
                        const limen_documents **out, limen_diag *diag)
{
	const char *resolved = limen_opening_path(opening, path);
	reading at = {
		.where = limen_value_exists(where) ? where : limen_opening_data(opening),
		.diag = diag,
	};
	int result;

	if (opening == NULL || path == NULL || out == NULL)
		return LIMEN_EINVAL;
	at.instance = opening->instance;
	at.made = recycle_zeroed(sizeof(limen_documents));
	if (resolved == NULL || at.made == NULL) {
		recycle_free(at.made);
		return opening_no_memory(diag);
	}
	result = folder_is(resolved) ? read_folder(&at, resolved) : read_one(&at, resolved);
	if (result == LIMEN_OK && at.made->count == 0)
		result = report(&at, resolved, LIMEN_ENOENT);
	if (result != LIMEN_OK) {
		limen_documents_free(at.made);
		return result;
	}
	if (!cleanup_push(&at.instance->owned, free_documents, at.made))
		return opening_no_memory(diag);
	*out = at.made;
	return LIMEN_OK;
}
