/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_context.c - implements the limen_opening functions that a module's open() calls.  Relative
 * paths start at the directory of the policy file; each file or folder read is recorded in the
 * instance, so that a reload can detect changes.
 */
#include "open_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

int
opening_no_memory(limen_diag *diag)
{
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "%s",
	               limen_result_text(LIMEN_ENOMEM));
	return LIMEN_ENOMEM;
}

const char *
limen_opening_name(const limen_opening *opening)
{
	return opening == NULL ? NULL : opening->instance->name;
}

limen_value
limen_opening_data(const limen_opening *opening)
{
	return document_root(opening == NULL ? NULL : opening->instance->data);
}

limen_value
limen_opening_option(const limen_opening *opening, const char *key)
{
	return limen_value_get(limen_opening_data(opening), key);
}

const void *
limen_opening_predecessor(const limen_opening *opening)
{
	return opening == NULL || opening->predecessor == NULL ? NULL : opening->predecessor->self;
}

bool
limen_opening_is_foreign(const limen_opening *opening)
{
	return opening != NULL && opening->files->is_foreign;
}

limen_host *
limen_opening_host(limen_opening *opening)
{
	return opening == NULL ? NULL : opening->instance->host;
}

void
limen_opening_add_flags(limen_opening *opening, uint64_t flags)
{
	if (opening == NULL)
		return;
	opening->instance->flags |= flags;
	opening->unknown_flags |= flags & ~KNOWN_MODULE_FLAGS;
}

const char *
limen_opening_path(limen_opening *opening, const char *path)
{
	if (opening == NULL || path == NULL)
		return NULL;
	return conf_resolve(&opening->instance->owned.arena, limen_opening_data(opening), path);
}

static input *
add_input(instance *inst, const char *path)
{
	input *entry = arena_calloc(&inst->owned.arena, 1, sizeof(*entry));

	if (entry == NULL)
		return NULL;
	entry->path = path;
	entry->next = inst->inputs;
	inst->inputs = entry;
	return entry;
}

bool
opening_remember(instance *inst, const char *path, const char *text, size_t length)
{
	input *entry = add_input(inst, path);

	if (entry == NULL)
		return false;
	entry->missing = text == NULL;
	if (text != NULL)
		entry->hash = file_hash(text, length);
	return true;
}

bool
opening_remember_folder(instance *inst, const char *path, const folder *list)
{
	input *entry = add_input(inst, path);

	if (entry == NULL)
		return false;
	entry->directory = true;
	entry->length = list->count;
	entry->hash = folder_hash(list);
	return true;
}

int
limen_opening_file(limen_opening *opening, const char *path, limen_value where, const char **text,
                   size_t *length, limen_diag *diag)
{
	const char *resolved = limen_opening_path(opening, path);
	instance *inst;
	char *content = NULL;
	size_t size = 0;
	int result;

	if (opening == NULL || path == NULL || text == NULL || length == NULL)
		return LIMEN_EINVAL;
	inst = opening->instance;
	if (resolved == NULL)
		return opening_no_memory(diag);
	errno = 0;
	result = file_read(resolved, &content, &size);
	if (result != LIMEN_OK)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "%s: %s", resolved,
		               result == LIMEN_EIO ? strerror(errno) : limen_result_text(result));
	if (!opening_remember(inst, resolved, content, size)) {
		free(content);
		return opening_no_memory(diag);
	}
	if (result != LIMEN_OK)
		return result;
	if (!cleanup_push(&inst->owned, free, content))
		return opening_no_memory(diag);
	*text = content;
	*length = size;
	return LIMEN_OK;
}

int
limen_opening_use_classifier(limen_opening *opening, const char *name, limen_value where,
                             limen_diag *diag)
{
	const instance_context *context;
	classifier_use *use;
	instance *inst;

	if (opening == NULL || name == NULL)
		return LIMEN_EINVAL;
	inst = opening->instance;
	context = opening->context;
	if (context->find_classifier == NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "a classifier cannot be used here");
		return LIMEN_EINVAL;
	}
	if (!limen_value_exists(where))
		where = limen_opening_data(opening);
	if (!context->find_classifier(context->find_data, name, where))
		return LIMEN_ENOENT;
	use = arena_calloc(&inst->owned.arena, 1, sizeof(*use));
	if (use != NULL)
		use->name = arena_strdup(&inst->owned.arena, name);
	if (use == NULL || use->name == NULL)
		return opening_no_memory(diag);
	use->next = inst->classifiers;
	inst->classifiers = use;
	return LIMEN_OK;
}

int
limen_opening_use_http(limen_opening *opening, unsigned parts, const char *name)
{
	instance *inst;
	header_use *use;

	if (opening == NULL)
		return LIMEN_EINVAL;
	inst = opening->instance;
	inst->http_parts = (inst->tells_http ? inst->http_parts : 0) | (parts & LIMEN_HTTP_ALL);
	inst->tells_http = true;
	if (name == NULL)
		return LIMEN_OK;
	use = arena_calloc(&inst->owned.arena, 1, sizeof(*use));
	if (use != NULL)
		use->name = arena_strdup(&inst->owned.arena, name);
	if (use == NULL || use->name == NULL)
		return LIMEN_ENOMEM;
	use->secret = (parts & LIMEN_HTTP_SECRET) != 0;
	use->next = inst->headers;
	inst->headers = use;
	return LIMEN_OK;
}
