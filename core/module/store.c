/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.c - opens tables of stores.  store_take.c takes tokens from them.
 */
#include "store.h"

#include <stdio.h>

#include "base/sized.h"
#include "open_context.h"

bool
store_publish(instance *inst, limen_diag *diag)
{
	inst->store = arena_alloc(&inst->owned.arena, sizeof(*inst->store));
	if (inst->store == NULL)
		return limen_diag_refuse(diag, document_root(inst->data), "%s",
		                         limen_result_text(LIMEN_ENOMEM));
	inst->store->instance = inst;
	return true;
}

bool
store_use_add(instance *inst, const char *name, limen_store *store)
{
	store_use *use = arena_alloc(&inst->owned.arena, sizeof(*use));
	char *copy = name == NULL ? NULL : arena_strdup(&inst->owned.arena, name);

	if (use == NULL || (name != NULL && copy == NULL))
		return false;
	*use = (store_use){ inst->uses, copy, store };
	inst->uses = use;
	instance_ref(store->instance);
	/* An instance that uses a blocking store is blocking. */
	inst->flags |= store->instance->flags & LIMEN_MODULE_BLOCKING;
	return true;
}

void
store_close_tables(instance *inst)
{
	for (limen_table *table = inst->tables; table != NULL; table = table->next) {
		instance *keeper = table->store->instance;

		void *rehearsal = atomic_load(&table->rehearsal);

		if (keeper->module->descriptor.store.close_table == NULL)
			continue;
		instance_enter(keeper);
		keeper->module->descriptor.store.close_table(keeper->self, table->table);
		if (rehearsal != NULL)
			keeper->module->descriptor.store.close_table(keeper->self, rehearsal);
		instance_leave(keeper);
	}
	inst->tables = NULL;
	for (store_use *use = inst->uses; use != NULL; use = use->next)
		instance_unref(use->store->instance);
	inst->uses = NULL;
}

static bool
check_spec(const limen_table_spec *spec, const instance *keeper, limen_diag *diag)
{
	bool dated = spec->kind == LIMEN_METER_CALENDAR;

	if (spec->kind < LIMEN_METER_TOKEN || spec->kind > LIMEN_METER_CALENDAR ||
	    dated != (spec->unit != LIMEN_UNIT_NONE) || dated != (spec->find_period != NULL))
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a table counts in an unknown way (kind %d)", (int)spec->kind);
	else if (spec->kind != LIMEN_METER_TOKEN &&
	         (keeper->flags & LIMEN_MODULE_WINDOWS) == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "store '%s' of type %s counts no windows", keeper->name,
		               keeper->module->descriptor.head.name);
	else if (spec->tokens < 1 || spec->period < !dated || spec->burst < 1 || spec->name == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "a table needs a name, and a rate and a burst of at least 1");
	else
		return true;
	return false;
}

/* Copies '*text', which may be NULL, into the memory of 'inst'. */
static bool
keep_text(instance *inst, const char **text)
{
	if (*text != NULL)
		*text = arena_strdup(&inst->owned.arena, *text);
	return *text != NULL;
}

/* Keeps 'spec' for lists of buckets and for store_rehearse(); false when memory is short. */
static bool
keep_spec(instance *inst, const limen_table_spec *spec, limen_table *table)
{
	table->entry = inst->name;
	table->spec = *spec;
	return keep_text(inst, &table->spec.name) &&
	       (keep_text(inst, &table->spec.rate) || spec->rate == NULL) &&
	       (keep_text(inst, &table->spec.keys) || spec->keys == NULL);
}

/* Opens a table in the store of 'table', named SECTION/ENTRY/TABLE behind 'prefix'. */
static int
open_table(limen_opening *opening, const limen_table *table, const char *prefix, void **out,
           limen_diag *diag)
{
	instance *inst = opening->instance;
	instance *keeper = table->store->instance;
	const char *name = arena_printf(&inst->owned.arena, "%s%s/%s/%s", prefix, inst->section,
	                                inst->name, table->spec.name);
	int result;

	if (name == NULL)
		return opening_no_memory(diag);
	instance_enter(keeper);
	result = keeper->module->descriptor.store.open_table(keeper->self, opening, name,
	                                                     &table->spec, out, diag);
	instance_leave(keeper);
	return result;
}

void
store_rehearse(instance *inst, const instance_context *context)
{
	limen_opening opening = { .instance = inst, .context = context, .files = context->files };

	diag_set_context(context->diag, document_root(inst->data));
	for (limen_table *table = inst->tables; table != NULL; table = table->next) {
		void *opened = NULL;

		if (atomic_load(&table->rehearsal) == NULL &&
		    open_table(&opening, table, STORE_REHEARSAL, &opened, context->diag) == LIMEN_OK)
			atomic_store(&table->rehearsal, opened);
	}
	diag_set_context(context->diag, limen_value_none());
}

int
limen_opening_table(limen_opening *opening, limen_store *store, const limen_table_spec *spec,
                    limen_table **out, limen_diag *diag)
{
	limen_table_spec known = { .size = 0 };
	instance *inst;
	limen_table *table;
	int result;

	if (opening == NULL || store == NULL || spec == NULL || out == NULL)
		return LIMEN_EINVAL;
	inst = opening->instance;
	table = arena_calloc(&inst->owned.arena, 1, sizeof(*table));
	if (table == NULL)
		return opening_no_memory(diag);
	/* An older module's struct may be shorter than the one the store knows. */
	if (!sized_copy(&known, sizeof(known), spec))
		return LIMEN_EINVAL;
	known.size = sizeof(known);
	if (!check_spec(&known, store->instance, diag))
		return LIMEN_EINVAL;
	table->store = store;
	if (!keep_spec(inst, &known, table))
		return opening_no_memory(diag);
	result = open_table(opening, table, "", &table->table, diag);
	if (result != LIMEN_OK)
		return result;
	table->next = inst->tables;
	inst->tables = table;
	*out = table;
	return LIMEN_OK;
}
