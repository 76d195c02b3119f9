/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_modules.c - lists the installed modules, for users and documentation.
 */
#include <stdlib.h>

#include "engine.h"

typedef void module_visitor(void *data, const limen_module_info *info);

typedef struct visit {
	const module_path *path;
	limen_kind kind;
	module_visitor *each;
	void *data;
	limen_diag *diag;
} visit;

static void
call_visitor(const visit *one, const module *found)
{
	const limen_module_head *head = &found->descriptor.head;
	limen_module_info info = {
		.kind = one->kind,
		.type = head->name,
		.version = head->version == NULL ? "" : head->version,
		.summary = head->summary == NULL ? "" : head->summary,
		.abi_major = head->abi_major,
		.abi_minor = head->abi_minor,
		.flags = head->flags,
		.file = found->file,
		.options = found->options,
	};

	one->each(one->data, &info);
}

const limen_option *
limen_module_option(const limen_module_info *info, size_t index)
{
	const limen_option *row = info->options;

	for (; row->type != LIMEN_OPTION_NONE; row++, index--) {
		if (index == 0)
			return row;
	}
	return NULL;
}

static int
visit_type(const visit *one, const char *type)
{
	char *file = loader_find(one->path, one->kind, type);
	const module *found;

	if (file == NULL)
		return LIMEN_ENOENT;
	found = loader_load(file, one->kind, type, one->diag, limen_value_none());
	free(file);
	if (found == NULL)
		return LIMEN_EMODULE;
	call_visitor(one, found);
	return LIMEN_OK;
}

/* A module that does not load spoils a list no more than a warning. */
static void
list_type(void *data, const char *type)
{
	const visit *one = data;
	visit quiet = *one;
	const limen_problem *problem;

	quiet.diag = limen_diag_new();
	if (visit_type(&quiet, type) == LIMEN_EMODULE) {
		problem = limen_diag_get(quiet.diag, 0);
		limen_diag_add(one->diag, LIMEN_SEVERITY_WARNING, limen_value_none(), "%s/%s: %s",
		               limen_kind_name(one->kind), type,
		               problem == NULL ? "cannot be loaded" : problem->text);
	}
	limen_diag_free(quiet.diag);
}

/* The policy in force may add directories of its own. */
static const module_path *
path_in_force(const limen_engine *engine)
{
	return engine->current == NULL ? &engine->inputs.path : &engine->current->path;
}

int
limen_engine_each_module(limen_engine *engine, module_visitor *each, void *data,
                         limen_diag *diag)
{
	int result = LIMEN_OK;

	pthread_mutex_lock(&engine->control);
	for (int kind = LIMEN_KIND_IDENTIFIER; kind <= LIMEN_KIND_STORE; kind++) {
		visit one = { path_in_force(engine), (limen_kind)kind, each, data, diag };

		if (!loader_each_type(one.path, one.kind, list_type, &one))
			result = LIMEN_ENOMEM;
	}
	pthread_mutex_unlock(&engine->control);
	return result;
}

int
limen_engine_find_module(limen_engine *engine, limen_kind kind, const char *type,
                         module_visitor *each, void *data, limen_diag *diag)
{
	int result;

	pthread_mutex_lock(&engine->control);
	result = visit_type(&(visit){ path_in_force(engine), kind, each, data, diag }, type);
	pthread_mutex_unlock(&engine->control);
	return result;
}
