/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance.c - makes module instances, checks whether a reload can keep one, and releases them.
 * An instance owns its memory, its data, its host, its tables and a lock for modules that need
 * serialized calls.
 */
#include "instance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "file/file.h"
#include "loader.h"
#include "open_context.h"
#include "option/option.h"
#include "store.h"
#include "tried.h"

static void
release_instance(instance *inst)
{
	host_free(inst->host);
	store_close_tables(inst);
	setting_release(inst->settings);
	cleanup_run(&inst->owned);
	document_unref(inst->data);
	pthread_mutex_destroy(&inst->serialize);
	free(inst->self);
	free(inst);
}

/* References data that is a whole document, as that of clones; copies other data. */
static document *
keep_data(limen_value data)
{
	const document *doc = data.document;

	if (limen_value_exists(data) && data.node == document_root(doc).node)
		return document_ref(doc);
	return document_copy(data);
}

/* Memory, the entry's data, a host: everything short of the options. */
static instance *
allocate_instance(const instance_wish *wish, const instance_context *context)
{
	instance *inst = calloc(1, sizeof(*inst));
	size_t size = wish->module->descriptor.head.instance_size;

	if (inst == NULL)
		return NULL;
	inst->references = 1;
	inst->module = wish->module;
	inst->flags = wish->module->descriptor.head.flags;
	inst->is_foreign = context->files->is_foreign;
	inst->http_parts = wish->module->descriptor.head.kind == LIMEN_KIND_IDENTIFIER
	                           ? LIMEN_HTTP_CLIENT
	                           : LIMEN_HTTP_ALL;
	pthread_mutex_init(&inst->serialize, NULL);
	inst->section = wish->section;
	inst->name = arena_strdup(&inst->owned.arena, wish->name);
	inst->data = keep_data(wish->data);
	inst->self = calloc(1, size == 0 ? 1 : size);
	if (inst->name != NULL)
		inst->host = host_new(context->background, inst->section, inst->name);
	if (inst->data == NULL || inst->self == NULL || inst->host == NULL) {
		release_instance(inst);
		return NULL;
	}
	return inst;
}

typedef struct store_search {
	instance *instance;
	const instance_context *context;
} store_search;

/* Finds the store an option names, and keeps it for as long as the instance. */
static limen_store *
find_store(void *data, const char *name, limen_value where)
{
	store_search *search = data;
	const instance_context *context = search->context;
	limen_store *found;

	/* An option that is not there has no place; the entry's data has. */
	if (!limen_value_exists(where))
		where = document_root(search->instance->data);
	found = context->find_store(context->find_data, name, where);
	if (found == NULL || store_use_add(search->instance, name, found))
		return found;
	limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where, "%s",
	               limen_result_text(LIMEN_ENOMEM));
	return NULL;
}

static bool
fill_options(instance *inst, const instance_context *context)
{
	store_search search = { inst, context };
	options_context options = {
		.owner = &inst->owned,
		.diag = context->diag,
		.find_store = context->find_store == NULL ? NULL : find_store,
		.find_data = &search,
	};

	return options_fill(inst->module->options, document_root(inst->data), inst->self, &options);
}

/* Closes an instance again whose 'open' succeeded, but added what is no flag. */
static bool
check_flags(instance *inst, const limen_opening *opening, limen_diag *diag)
{
	const limen_module_head *head = &inst->module->descriptor.head;

	if (opening->unknown_flags == 0)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
	               "the module %s/%s is refused: limen_opening_add_flags() was given the "
	               "unknown bits %#" PRIx64,
	               limen_kind_name((limen_kind)head->kind), head->name, opening->unknown_flags);
	host_stop(inst->host);
	if (head->close != NULL)
		head->close(inst->self);
	return false;
}

static bool
call_open(instance *inst, const instance_context *context)
{
	const limen_module_head *head = &inst->module->descriptor.head;
	limen_opening opening = {
		.instance = inst,
		.context = context,
		.predecessor = context->predecessor,
		.files = context->files,
	};
	size_t before = limen_diag_count(context->diag, LIMEN_SEVERITY_PROBLEM);
	bool good;
	int result;

	if (head->init == NULL && head->open == NULL)
		return true;
	/* The last such line of a log names the module that ended the process or never returned. */
	limen_host_log(inst->host, LIMEN_LOG_DEBUG, "opening the module %s/%s",
	               limen_kind_name((limen_kind)head->kind), head->name);
	diag_set_context(context->diag, document_root(inst->data));
	result = loader_init(inst->module, context->diag);
	if (result == LIMEN_OK && head->open != NULL)
		result = head->open(inst->self, &opening, context->diag);
	if (result != LIMEN_OK && limen_diag_count(context->diag, LIMEN_SEVERITY_PROBLEM) == before)
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "the module %s could not be opened: %s", head->name,
		               limen_result_text(result));
	good = result == LIMEN_OK && check_flags(inst, &opening, context->diag);
	diag_set_context(context->diag, limen_value_none());
	return good;
}

instance *
instance_new(const instance_wish *wish, const instance_context *context)
{
	instance *inst = allocate_instance(wish, context);

	if (inst == NULL) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, wish->data, "%s",
		               limen_result_text(LIMEN_ENOMEM));
		return NULL;
	}
	if ((wish->module->descriptor.head.kind == LIMEN_KIND_STORE &&
	     !store_publish(inst, context->diag)) ||
	    !fill_options(inst, context) || !call_open(inst, context)) {
		for (const input *known = inst->inputs; known != NULL; known = known->next)
			tried_add(context->tried, known);
		release_instance(inst);
		return NULL;
	}
	return inst;
}

static bool
folder_is_fresh(const input *known)
{
	folder list;
	bool fresh;

	if (folder_list(known->path, &list, NULL) != LIMEN_OK)
		return false;
	fresh = list.count == known->length && folder_hash(&list) == known->hash;
	folder_free(&list);
	return fresh;
}

bool
input_is_fresh(const input *known)
{
	char *text;
	size_t length;
	bool fresh;

	if (known->directory)
		return folder_is_fresh(known);
	if (file_read(known->path, &text, &length) != LIMEN_OK)
		return known->missing;
	fresh = !known->missing && file_hash(text, length) == known->hash;
	free(text);
	return fresh;
}

/* Is every file that was read during 'open' unchanged? */
static bool
instance_is_fresh(const instance *inst)
{
	for (const input *known = inst->inputs; known != NULL; known = known->next)
		if (!input_is_fresh(known))
			return false;
	return true;
}

/* Does 'data' stand in the directory that the inputs of 'old' were looked up in? */
static bool
is_beside(const instance *old, limen_value data)
{
	size_t length = conf_directory(document_root(old->data));
	const char *file = value_place(data).file;

	return length == conf_directory(data) &&
	       (length == 0 ||
	        memcmp(value_place(document_root(old->data)).file, file, length) == 0);
}

/* Are the classifiers it asks for still there? */
static bool
has_classifiers(const instance *old, const instance_context *context)
{
	for (const classifier_use *use = old->classifiers; use != NULL; use = use->next)
		if (!context->find_classifier(context->find_data, use->name, limen_value_none()))
			return false;
	return true;
}

bool
instance_fits(const instance *old, const instance_wish *wish, const instance_context *context)
{
	if (old->module != wish->module || strcmp(old->section, wish->section) != 0 ||
	    strcmp(old->name, wish->name) != 0 ||
	    !limen_value_equal(document_root(old->data), wish->data))
		return false;
	/* The same relative name elsewhere is another file. */
	if (old->inputs != NULL && !is_beside(old, wish->data))
		return false;
	if (!instance_is_fresh(old) || old->is_foreign != context->files->is_foreign ||
	    !setting_same(old->settings, context->files))
		return false;
	for (const store_use *use = old->uses; use != NULL; use = use->next)
		if (context->find_store(context->find_data, use->name, limen_value_none()) !=
		    use->store)
			return false;
	return has_classifiers(old, context);
}

instance *
instance_ref(instance *inst)
{
	inst->references++;
	return inst;
}

void
instance_unref(instance *inst)
{
	if (inst == NULL || --inst->references > 0)
		return;
	host_stop(inst->host);
	if (inst->module->descriptor.head.close != NULL)
		inst->module->descriptor.head.close(inst->self);
	release_instance(inst);
}

void
instance_enter(const instance *inst)
{
	if (inst->flags & LIMEN_MODULE_SERIALIZE)
		pthread_mutex_lock((pthread_mutex_t *)&inst->serialize);
}

void
instance_leave(const instance *inst)
{
	if (inst->flags & LIMEN_MODULE_SERIALIZE)
		pthread_mutex_unlock((pthread_mutex_t *)&inst->serialize);
}
