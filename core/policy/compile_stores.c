/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_stores.c - "stores": named places where buckets are kept.  The store
 * "default" exists whether or not it is declared.
 */
#include <string.h>

#include "compile.h"
#include "option/option.h"
#include "module/module.h"

typedef struct store_fields {
	const char *type;
	limen_value data;
	const char *description;
} store_fields;

const limen_option compile_store_rows[] = {
	LIMEN_OPT_STRING(store_fields, type, .key = "type", .required = true,
	                 .help = "The store module, such as memory"),
	LIMEN_OPT_OBJECT(store_fields, data, .key = "data", .fallback = "{}",
	                 .help = "The module's own options"),
	LIMEN_OPT_STRING(store_fields, description, .key = "description",
	                 .help = "What the store is for"),
	LIMEN_OPT_END
};

/* Makes 'target' a store of type memory without options. */
static bool
compile_memory(compile_context *context, entry *target)
{
	/* An empty object. */
	document *empty = document_merge(limen_value_none(), limen_value_none());

	if (empty == NULL)
		return false;
	target->type = STORE_MEMORY;
	compile_instance(context, LIMEN_KIND_STORE, SECTION_STORES, "Store", target,
	                 document_root(empty));
	document_unref(empty);
	return true;
}

/* Notes a store that was replaced: buckets are not moved from the old store. */
static void
note_fresh_start(compile_context *context, const entry *target)
{
	const entry *known = context->old == NULL
	                             ? NULL
	                             : entry_find(&context->old->stores, target->name);

	if (known != NULL && target->instance != NULL && known->instance != target->instance)
		limen_diag_add(context->diag, LIMEN_SEVERITY_NOTE, target->where,
		               "the store '%s' has changed, so all its buckets start full",
		               target->name);
}

static void
compile_store(compile_context *context, entry *target, const conf_item *item)
{
	store_fields fields = { .type = NULL };

	compile_place(target, item->value);
	options_fill(compile_store_rows, item->value, &fields, &context->options);
	if (fields.type == NULL || !limen_value_exists(fields.data))
		return;
	target->type = fields.type;
	target->description = fields.description;
	if (!context->inputs->memory_stores || strcmp(fields.type, STORE_MEMORY) == 0)
		compile_instance(context, LIMEN_KIND_STORE, SECTION_STORES, "Store", target,
		                 fields.data);
	/* Checks the options of the policy's store, but opens a memory store in its place. */
	else if (compile_options(context, LIMEN_KIND_STORE, "Store", target, fields.data) &&
	         !compile_memory(context, target))
		compile_no_memory(context, target->where);
	note_fresh_start(context, target);
}

void
compile_stores(compile_context *context)
{
	const conf_list *list = &context->policy->files->sections[SECTION_STORES];
	entry_list *stores = &context->policy->stores;

	/* One more for the default store, should something ask for it. */
	stores->items = compile_alloc(context, list->count + 1, sizeof(*stores->items));
	if (stores->items == NULL)
		return;
	for (size_t i = 0; i < list->count; i++) {
		const char *name = limen_value_string(list->items[i].key, NULL);

		if (!compile_is_new(context, stores, "store", name, list->items[i].value))
			continue;
		stores->items[stores->count].name = name;
		compile_store(context, &stores->items[stores->count], &list->items[i]);
		stores->count++;
	}
}

/* The embedded default. */
static entry *
add_default(compile_context *context, limen_value where)
{
	entry_list *stores = &context->policy->stores;
	entry *target = &stores->items[stores->count];

	target->name = STORE_DEFAULT;
	compile_place(target, where);
	if (!compile_memory(context, target))
		return NULL;
	stores->count++;
	return target;
}

limen_store *
compile_find_store(void *data, const char *name, limen_value where)
{
	compile_context *context = data;
	entry_list *stores = &context->policy->stores;
	size_t index = entry_index(stores, name == NULL ? STORE_DEFAULT : name);
	entry *target = NULL;

	if (index != SIZE_MAX)
		target = &stores->items[index];
	else if (stores->items != NULL && (name == NULL || strcmp(name, STORE_DEFAULT) == 0))
		target = add_default(context, where);
	if (target == NULL && name == NULL)
		compile_no_memory(context, where);
	else if (target == NULL && limen_value_exists(where))
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, where, "Unknown store '%s'",
		               name);
	return target == NULL || target->instance == NULL ? NULL : target->instance->store;
}
