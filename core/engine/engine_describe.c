/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_describe.c - describes the loaded policy for operators and consoles.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "policy/policy.h"
#include "module/module.h"

static void
describe_status(limen_sink *sink, const instance *inst)
{
	const limen_module_head *head = &inst->module->descriptor.head;

	sink_begin(sink, "status");
	if (head->status != NULL) {
		instance_enter(inst);
		head->status(inst->self, sink);
		instance_leave(inst);
	}
	host_report(inst->host, sink);
	sink_end(sink);
}

/* The tables an entry counts in, with what their stores say of them. */
static void
describe_tables(limen_sink *sink, const instance *inst)
{
	if (inst->tables == NULL)
		return;
	sink_begin(sink, "tables");
	for (const limen_table *table = inst->tables; table != NULL; table = table->next) {
		const instance *keeper = table->store->instance;
		const limen_store_module *type = &keeper->module->descriptor.store;

		sink_begin(sink, table->name);
		limen_sink_string(sink, "store", keeper->name);
		if (type->table_status != NULL) {
			instance_enter(keeper);
			type->table_status(keeper->self, table->table, sink);
			instance_leave(keeper);
		}
		sink_end(sink);
	}
	sink_end(sink);
}

/* All that entries of every kind have; more may follow. */
static void
begin_entry(limen_sink *sink, const entry *one)
{
	const limen_module_head *head = &one->instance->module->descriptor.head;

	sink_begin(sink, one->name);
	limen_sink_string(sink, "type", one->type);
	limen_sink_string(sink, "version", head->version == NULL ? "" : head->version);
	if (one->description != NULL)
		limen_sink_string(sink, "description", one->description);
	limen_sink_bool(sink, "invert", one->invert);
	if (one->file != NULL)
		limen_sink_string(sink, "file", one->file);
	limen_sink_int(sink, "line", one->line);
	describe_status(sink, one->instance);
	describe_tables(sink, one->instance);
}

static void
describe_entry(limen_sink *sink, const entry *one)
{
	begin_entry(sink, one);
	sink_end(sink);
}

static void
describe_entries(limen_sink *sink, const char *name, const entry_list *list)
{
	sink_begin(sink, name);
	for (size_t i = 0; i < list->count; i++)
		describe_entry(sink, &list->items[i]);
	sink_end(sink);
}

static void
describe_admission(limen_sink *sink, const policy *current)
{
	sink_begin(sink, "admission");
	for (size_t i = 0; i < current->admission.count; i++) {
		const entry *one = &current->admission.items[i];

		begin_entry(sink, one);
		policy_describe_rule(sink, current, &current->admission_rules[i]);
		sink_end(sink);
	}
	sink_end(sink);
}

static void
describe_single(limen_sink *sink, const entry *one)
{
	if (one != NULL)
		describe_entry(sink, one);
}

static void
describe_policy(limen_sink *sink, const policy *current)
{
	sink_begin(sink, "files");
	for (size_t i = 0; i < current->files->file_count; i++)
		limen_sink_bool(sink, current->files->files[i].name, true);
	sink_end(sink);
	limen_sink_int(sink, "schema", conf_schema(current->files));
	describe_entries(sink, "identifiers", &current->identifiers);
	policy_describe_classifiers(sink, current);
	describe_single(sink, current->rewriter);
	describe_entries(sink, "limits", &current->limits);
	describe_admission(sink, current);
	limen_sink_int(sink, "applications", (int64_t)current->application_count);
	policy_describe_applications(sink, current);
	describe_single(sink, current->prioritizer);
	describe_entries(sink, "stores", &current->stores);
}

static document *
describe(limen_engine *engine)
{
	limen_sink *sink = sink_new();

	if (sink == NULL)
		return NULL;
	limen_sink_bool(sink, "ready", engine->current != NULL);
	limen_sink_int(sink, "loads", (int64_t)engine->loads);
	if (engine->last_error != NULL)
		limen_sink_string(sink, "error", engine->last_error);
	if (engine->current != NULL) {
		limen_timestamp loaded = { .time = engine->loaded_at };
		char text[LIMEN_TIMESTAMP_TEXT_MAX];

		limen_timestamp_print(&loaded, text);
		limen_sink_string(sink, "loaded", text);
		describe_policy(sink, engine->current);
	}
	return sink_finish(sink);
}

char *
limen_engine_describe(limen_engine *engine, unsigned flags, size_t *length)
{
	document *doc;
	char *text = NULL;

	if (engine == NULL)
		return NULL;
	pthread_mutex_lock(&engine->control);
	doc = describe(engine);
	pthread_mutex_unlock(&engine->control);
	if (doc != NULL)
		text = limen_value_to_json(document_root(doc), flags, length);
	document_unref(doc);
	return text;
}
