/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_modules.c - adds modules of the program, and lists these, the installed ones and the keys
 * of policies for users and documentation.
 */
#include "engine.h"

#include <string.h>

typedef void module_visitor(void *data, const limen_module_info *info);

typedef struct visit {
	const module_path *path;
	limen_kind kind;
	module_visitor *each;
	void *data;
	limen_diag *diag;
} visit;

static void
call_visitor(const visit *visitor, const module *found)
{
	const limen_module_head *head = &found->descriptor.head;
	limen_module_info info = {
		.kind = visitor->kind,
		.type = head->name,
		.version = head->version == NULL ? "" : head->version,
		.summary = head->summary == NULL ? "" : head->summary,
		.abi_major = head->abi_major,
		.abi_minor = head->abi_minor,
		.flags = head->flags,
		.file = found->file,
		.options = found->options,
	};

	visitor->each(visitor->data, &info);
}

static const limen_option *
find_row(const limen_option *row, size_t index)
{
	for (; row != NULL && row->type != LIMEN_OPTION_NONE; row++, index--)
		if (index == 0)
			return row;
	return NULL;
}

const limen_option *
limen_module_option(const limen_module_info *info, size_t index)
{
	return find_row(info == NULL ? NULL : info->options, index);
}

const limen_option *
limen_module_suboption(const limen_option *option, size_t index)
{
	if (option == NULL || option->type != LIMEN_OPTION_ROWS)
		return NULL;
	return find_row(option->rows, index);
}

const limen_option *
limen_policy_option(const char *name, size_t index)
{
	static const struct {
		const char *name;
		const limen_option *rows;
	} tables[] = {
		{ "identifiers", compile_identifier_rows },
		{ "classifiers", compile_classifier_rows },
		{ "limits", compile_limit_rows },
		{ "applications", compile_application_rows },
		{ "apply", compile_group_rows },
		{ "admission", compile_admission_rows },
		{ "stores", compile_store_rows },
	};

	for (size_t i = 0; name != NULL && i < sizeof(tables) / sizeof(tables[0]); i++)
		if (strcmp(tables[i].name, name) == 0)
			return find_row(tables[i].rows, index);
	return NULL;
}

static int
visit_type(const visit *visitor, const char *type)
{
	const module *found;
	int result = loader_get(visitor->path, visitor->kind, type, &found, visitor->diag,
	                        limen_value_none());

	if (result == LIMEN_OK)
		call_visitor(visitor, found);
	return result;
}

/* A module that does not load spoils a list no more than a warning. */
static void
list_type(void *data, const char *type)
{
	const visit *visitor = data;
	visit quiet = *visitor;
	const limen_problem *problem;

	quiet.diag = limen_diag_new();
	if (visit_type(&quiet, type) == LIMEN_EMODULE) {
		problem = limen_diag_get(quiet.diag, 0);
		limen_diag_add(visitor->diag, LIMEN_SEVERITY_WARNING, limen_value_none(), "%s/%s: %s",
		               limen_kind_name(visitor->kind), type,
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
limen_engine_each_module(limen_engine *engine, module_visitor *each, void *data, limen_diag *diag)
{
	int result = LIMEN_OK;

	if (engine == NULL || each == NULL)
		return LIMEN_EINVAL;
	pthread_mutex_lock(&engine->control);
	for (int kind = LIMEN_KIND_IDENTIFIER; kind <= LIMEN_KIND_STORE; kind++) {
		visit visitor = { path_in_force(engine), (limen_kind)kind, each, data, diag };

		if (!loader_each_type(visitor.path, visitor.kind, list_type, &visitor))
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

	if (engine == NULL || type == NULL || each == NULL)
		return LIMEN_EINVAL;
	pthread_mutex_lock(&engine->control);
	result = visit_type(&(visit){ path_in_force(engine), kind, each, data, diag }, type);
	pthread_mutex_unlock(&engine->control);
	return result;
}

/* Control lock held. */
static int
add_module(limen_engine *engine, const module *found, limen_diag *diag)
{
	const limen_module_head *head = &found->descriptor.head;
	module_path *path = &engine->inputs.path;
	added_module *added;

	if (atomic_load(&engine->wants_policy) ||
	    loader_find_added(path, (limen_kind)head->kind, head->name) != NULL) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "the module %s/%s must be added once, before a policy is loaded",
		               limen_kind_name((limen_kind)head->kind), head->name);
		return LIMEN_EINVAL;
	}
	added = arena_alloc(&engine->memory, sizeof(*added));
	if (added == NULL)
		return LIMEN_ENOMEM;
	*added = (added_module){ found, path->added };
	path->added = added;
	return LIMEN_OK;
}

int
limen_engine_add_module(limen_engine *engine, const void *definition, limen_diag *diag)
{
	const module *found;
	int result;

	if (engine == NULL)
		return LIMEN_ENOMEM;
	if (definition == NULL)
		return LIMEN_EINVAL;
	found = loader_add(definition, diag);
	if (found == NULL)
		return LIMEN_EMODULE;
	pthread_mutex_lock(&engine->control);
	result = add_module(engine, found, diag);
	pthread_mutex_unlock(&engine->control);
	return result;
}
